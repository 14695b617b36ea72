/*+++
[problem]
sizes     = {N = 256}
reference = {launch = {kernel = "means", global = ["N"]}}
[problem.buffers]
X = {type = "float", shape = ["N"], fill = {integers = [1, 9]}}
Y = {type = "float", shape = ["N"], output = true}
[launch]
kernel = "moving_means"
local  = [16]
global = ["ceil_div(N, 16)"]
+++*/
// A helper shifts the history by one place and overwrites what it has still to move: both pointers are into one array.
// $ last sum
// $ origins
// $ last history[k]
// repair to[count - 1 - i] = from[count - 1 - i];
kernel void means(global const float* X, global float* Y) {
    int i = get_global_id(0);
    float sum = 0;
    for (int k = max(i - 3, 0); k <= i; ++k) sum += X[k];
    Y[i] = sum / 4;
}

void move_numbers(float* to, const float* from, int count) {
    for (int i = 0; i < count; ++i)
        to[i] = from[i];  // cause
}

// A work-item computes sixteen means.
kernel void moving_means(global const float* X, global float* Y, int N) {
    int first = get_global_id(0) * 16;
    float history[4];
    for (int k = 0; k < 4; ++k) history[k] = first - 1 - k >= 0 && first - 1 - k < N ? X[first - 1 - k] : 0;
    for (int i = first; i < min(first + 16, N); ++i) {
        move_numbers(history + 1, history, 3);
        history[0] = X[i];
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += history[k];
        Y[i] = sum / 4;
    }
}
// SPDX-License-Identifier: Apache-2.0
