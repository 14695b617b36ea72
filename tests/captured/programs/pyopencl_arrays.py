# SPDX-License-Identifier: Apache-2.0
# Kernels that PyOpenCL generates at run time: arithmetic, reductions, scans, sorting.
import numpy
import pyopencl
import pyopencl.algorithm
import pyopencl.array
import pyopencl.clmath
import pyopencl.clrandom
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import GenericScanKernel

context = pyopencl.create_some_context(interactive=False)
queue = pyopencl.CommandQueue(context)
x, y = (pyopencl.array.to_device(queue, numpy.arange(1, 50001, dtype=numpy.float32)) for _ in range(2))
(x + 2 * y).get()
(x / y - 3).get()
pyopencl.clmath.sin(x).get()
pyopencl.array.max(x).get()
pyopencl.array.sum(x).get()
pyopencl.array.if_positive(x - 5, x, y).get()
x.reverse().get()
pyopencl.array.take(x, pyopencl.array.arange(queue, 0, 1000, 10, dtype=numpy.int32)).get()
ElementwiseKernel(context, "float a, __global float *x, __global float *z", "z[i] = a * x[i] + x[i] * x[i]", "saxpx")(
    numpy.float32(1.5), x, y)
ReductionKernel(context, numpy.float32, neutral="-INFINITY", reduce_expr="fmax(a, b)", map_expr="x[i] * y[i]",
                arguments="__global float *x, __global float *y", name="largest")(x, y).get()
z = pyopencl.array.arange(queue, 10000, dtype=numpy.int32)
GenericScanKernel(context, numpy.int32, arguments="__global int *z", input_expr="z[i]", scan_expr="a+b", neutral="0",
                  output_statement="z[i] = item;")(z)
pyopencl.algorithm.copy_if(z, "ary[i] > 300")
pyopencl.clrandom.rand(queue, 1000, numpy.float32).get()
pyopencl.algorithm.RadixSort(context, "__global int *keys", key_expr="keys[i]", sort_arg_names=["keys"])(z)
queue.finish()
