// Row-times-matrix: one work-item computes a whole row of the product (1-D NDRange).
// Cmat is Mdim x Ndim, the inner extent is Pdim.

__kernel void mmul_rows(const int Mdim, const int Ndim, const int Pdim, __global const float* Amat,
                        __global const float* Bmat, __global float* Cmat) {
    int i = get_global_id(0);
    int j, k;
    float tmp;
    if (i < Mdim) {
        for (j = 0; j < Ndim; j++) {
            tmp = 0.0f;
            for (k = 0; k < Pdim; k++) tmp += Amat[i * Pdim + k] * Bmat[k * Ndim + j];
            Cmat[i * Ndim + j] = tmp;
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
