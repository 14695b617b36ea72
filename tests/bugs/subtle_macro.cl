/*+++
problem = "stencil"
[scratch]
T = "H * W"
[[launch]]
kernel = "jacobi"
local  = [16, 16]
global = ["round_up(W, 16)", "round_up(H, 16)"]
args   = {from = "X", to = "Y"}
when   = "S % 2 == 1"
[[launch]]
kernel = "jacobi"
local  = [16, 16]
global = ["round_up(W, 16)", "round_up(H, 16)"]
args   = {from = "X", to = "T"}
when   = "S % 2 == 0"
[[launch]]
kernel = "jacobi"
local  = [16, 16]
global = ["round_up(W, 16)", "round_up(H, 16)"]
args   = {from = "Y", to = "T"}
when   = "S % 2 == 1 and S > 1"
repeat = "S - 1"
swap   = ["Y", "T"]
[[launch]]
kernel = "jacobi"
local  = [16, 16]
global = ["round_up(W, 16)", "round_up(H, 16)"]
args   = {from = "T", to = "Y"}
when   = "S % 2 == 0"
repeat = "S - 1"
swap   = ["Y", "T"]
+++*/
// The macro's parameter has no parentheses: AT(y + 1, x) is from[y + 1 * W + x].
// $ last mean
// $ origins
// $ last below
// repair float below = AT((y + 1), x);
#define AT(row, column) from[row * W + column]

kernel void jacobi(global const float* from, global float* to, int H, int W) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= W || y >= H) return;
    float mean = AT(y, x);
    if (x > 0 && x < W - 1 && y > 0 && y < H - 1) {
        float left = AT(y, x - 1), right = AT(y, x + 1);
        float above = from[(y - 1) * W + x];
        float below = AT(y + 1, x);  // cause
        mean = (left + right + above + below) / 4;
    }
    to[y * W + x] = mean;
}
// SPDX-License-Identifier: Apache-2.0
