/*+++
problem = "convolution"
[launch]
kernel = "convolve"
local  = [16, 16]
global = ["round_up(W, 16)", "round_up(H, 16)"]
+++*/
// A row of the image is F - 1 elements longer than one of the result.
// $ last sum
// $ origins
// $ last pitch
// repair int pitch = W + F - 1;
kernel void convolve(global const float* image, global const float* filter, global float* result, int H, int W,
                     int F) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= W || y >= H) return;
    int pitch = W;  // cause
    float sum = 0;
    for (int i = 0; i < F; ++i)
        for (int j = 0; j < F; ++j) sum += image[(y + i) * pitch + x + j] * filter[i * F + j];
    result[y * W + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
