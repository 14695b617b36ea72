# SPDX-License-Identifier: Apache-2.0
# OpenCV's kernels, which UMat launches.
import cv2
import numpy

cv2.ocl.setUseOpenCL(True)
random = numpy.random.default_rng(1)
picture = cv2.UMat(random.integers(0, 256, (240, 320, 3), dtype=numpy.uint8))
grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
cv2.GaussianBlur(grey, (5, 5), 1.5).get()
cv2.resize(picture, (160, 120)).get()
cv2.Sobel(grey, cv2.CV_32F, 1, 0).get()
cv2.threshold(grey, 100, 255, cv2.THRESH_BINARY)[1].get()
cv2.erode(grey, None).get()
cv2.Canny(grey, 50, 150).get()
cv2.add(grey, grey).get()
cv2.medianBlur(grey, 3).get()
cv2.warpAffine(grey, numpy.float32([[1, 0.1, 3], [0, 1, 5]]), (320, 240)).get()
cv2.cvtColor(picture, cv2.COLOR_BGR2HSV).get()
cv2.equalizeHist(grey).get()
left, right = (cv2.UMat(random.random((64, 64), dtype=numpy.float32)) for _ in range(2))
cv2.gemm(left, right, 1.0, None, 0.0).get()
cv2.transpose(left).get()
cv2.integral(grey)
cv2.norm(left)
cv2.meanStdDev(left)
