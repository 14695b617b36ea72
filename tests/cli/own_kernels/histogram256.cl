// Every work-group counts in local memory, then adds its counts to the global ones (cleared by the host).
__kernel void histogram256(__global const uint *data, __local uint *localBins, const uint numElements,
                           __global uint *hist)
{
    const uint lid = get_local_id(0);
    const uint lsize = get_local_size(0);
    for (uint b = lid; b < NUM_BINS; b += lsize)
        localBins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint i = get_global_id(0); i < numElements; i += get_global_size(0))
        atomic_inc(&localBins[data[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);

    for (uint b = lid; b < NUM_BINS; b += lsize)
        atomic_add(&hist[b], localBins[b]);
}
// SPDX-License-Identifier: Apache-2.0
