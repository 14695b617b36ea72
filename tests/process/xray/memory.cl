// SPDX-License-Identifier: Apache-2.0
// Memory that nobody has set, accesses outside, and values that no type holds.

//// local, private, scratch and output memory that nobody has set is told with its element
#define KERNEL(name) __kernel void name(__global float* out)
#define I get_local_id(0)
KERNEL(of_local_array) { __local float t[32]; out[get_global_id(0)] = t[I]; }  //@ finds unset_read subject=t[0]
KERNEL(of_local_variable) { __local float x; out[get_global_id(0)] = x; }  //@ finds unset_read subject=x
KERNEL(of_sums) { float acc[4]; acc[0] += I; out[get_global_id(0)] = acc[0]; }  //@ finds unset_read subject=acc
KERNEL(of_private_array) { int n[8]; out[get_global_id(0)] = n[I & 7]; }  //@ finds unset_read subject=n
KERNEL(of_output) { out[get_global_id(0)] += 1; }  //@ finds unset_read subject=out[0]

//// memory that nobody ever stores to is told apart from memory that is stored to too late
//@ launch y = 0
__kernel void never(__global int* y) {
    __local int t[64];
    y[get_global_id(0)] = t[get_local_id(0)];  //@ finds unset_read never=1
}
__kernel void too_late(__global int* y) {
    __local int t[64];
    y[get_global_id(0)] = t[get_local_id(0)];  //@ finds unset_read never=
    t[get_local_id(0)] = 1;
}

//// a variable that is used before it has a value is told, as the compiler sees it
//@ launch a[4]; x = 0; given[128]
__kernel void of_sum(__global const float* a, __global float* out) {
    float sum;
    for (int i = 0; i < 4; ++i) sum += a[i];  //@ finds unset_variable subject=sum
    out[get_global_id(0)] = sum;
}
__kernel void of_two(__global float* x, __local float* given) {
    float sum;
    int c;
    for (int i = 0; i < 4; ++i) {
        sum += x[i];  //@ finds unset_variable
        c++;  //@ finds unset_variable
    }
    given[get_local_id(0)] = sum + c;
}

//// memory that nobody has set is found where it is first read: given to a kernel, counted in, added to
//@ launch x = 0; given[128]
__kernel void first_reads(__global float* x, __local float* given) {
    __local uint h[16];
    const int l = get_local_id(0), g = get_global_id(0);
    float v[4];
    x[g] = given[l];  //@ finds unset_read
    atomic_inc(&h[l % 16]);  //@ finds unset_read
    for (int i = 0; i < 4; ++i)
        v[i] += 1;  //@ finds unset_read
    x[g] += v[0] + v[3];
}

//// sums that are set under conditions, by helpers or by components are set
//@ launch x[8]; n = 8
void clear(float* v, int n) { for (int i = 0; i < n; ++i) v[i] = 0; }
__kernel void sums(__global const float* x, __global float* out, int n) {
    float a, b, c[4], d;
    float4 e;
    int count;
    clear(c, 4);
    e.xyzw = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (i == 0) a = x[i]; else a += x[i];
        c[i % 4] += x[i];
        e.x += x[i];
    }
    if (n > 3) b = 1; else b = 2;
    d = b = b + a;
    for (count = 0; count < 4; count++) d += c[count];
    out[get_global_id(0)] = d + e.x;
}

//// initialized private arrays are set, whatever their values
struct P { int a; float b; };
__kernel void arrays(__global float* out) {
    const int i = get_local_id(0);
    int ones[4] = {-1, -1, -1, -1};
    float zeros[8] = {0};
    struct P p = {1, 2};
    struct P q = p;
    float late[4];
    for (int j = 0; j < 4; ++j) late[j] = j;
    out[get_global_id(0)] = ones[i & 3] + zeros[i & 7] + q.b + late[i & 3];
}

//// vectors, halves, structures, constants and printf are observed
//@ launch items[128]
__constant float table[4] = {1, 2, 3, 4};
typedef struct { float x; char tag; } item_t;
__kernel void several(__global const float* a, __global item_t* items, __global half* h) {
    const int i = get_global_id(0);
    const float4 v = vload4(i / 4, a);
    items[i].x = v.y + table[i & 3];
    items[i].tag = 1;
    vstore_half(v.x, i, h);
    printf("%f\n", a[i]);
}

//// what functions store through a pointer is set, whatever they store and wherever
float fract(float x) { return x - floor(x); }
void sincos(float x, float* s, float* c) { *s = sin(x); *c = cos(x); }
__kernel void stores(__global const float* a, __global float* out, __global half* h) {
    __local float4 whole[32];
    __local int q[32];
    const int i = get_global_id(0), l = get_local_id(0);
    int e[1];
    int2 e2[1];
    float s[1], c[1];
    float m = frexp(a[i], e) + fract(a[i]);
    m += e[0] + sincos(a[i], out + i) + remquo(a[i], 2.0f, q + l);
    m += modf(vload4(i / 4, a), &whole[l]).y + frexp((float2)(m, a[i]), e2).x + lgamma_r(m, q + l);
    sincos(fract(m, s), s, c);
    out[i] += m + whole[l].x + q[l] + e2[0].y + s[0] + c[0];
    vstore_half(a[i], i, h);
    vstore_half4((float4)(a[i]), i / 4, h);
}

//// what functions store through a pointer is told outside of a buffer
__kernel void parts(__global const float* a, __global float* out) {
    const int i = get_global_id(0);
    float s = modf(a[i], out + i + 1);  //@ finds outside_buffer
    if (i == 0) out[0] = s;
}

//// variables of long vectors are observed like others
#define KERNEL(name) __kernel void name(__global float* out)
#define HEAD const int i = get_global_id(0), l = get_local_id(0);
KERNEL(unset) { HEAD __local float16 t[32]; out[i] = t[l].s3; }  //@ finds unset_read
KERNEL(race) { HEAD __local float16 t[32]; t[l] = (float16)(l); out[i] = t[l ^ 1].s3; }  //@ finds data_race and unset_read
KERNEL(outside) { HEAD __local float16 t[32]; t[l + 1] = (float16)(l); out[i] = 1; }  //@ finds outside_array
KERNEL(aligned) { HEAD __local int t[32] __attribute__((aligned(64))); t[l] = l; out[i] = t[l]; }
KERNEL(eight) { HEAD float8 a[2]; a[0] = (float8)(l); out[i] = a[1].s3; }  //@ finds unset_read
KERNEL(sixteen) { HEAD float16 a[2]; float b[3]; a[0] = (float16)(l); b[l % 3] = l; out[i] = a[0].s3 + b[l % 3]; }
KERNEL(next_to_it) { HEAD float16 a; float b[3]; a = (float16)(l); out[i] = a.s3 + b[l % 3]; }  //@ finds unset_read

//// a __local argument of structures has elements of their size
typedef struct { float x; int n; } item_t;
//@ launch t[264]
__kernel void enough(__global float* out, __local item_t* t) {
    const int l = get_local_id(0);
    t[l + 1].n = l;
    t[l].x = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[31 - l].x;
}
//@ launch t[256]
__kernel void too_small(__global float* out, __local item_t* t) {
    const int l = get_local_id(0);
    t[l + 1].n = l;  //@ finds outside_buffer element=32 elements=32
    t[l].x = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[31 - l].x;
}

//// accesses outside of buffers are told with the element, wherever they are
//@ launch a[50]; n = 50
__kernel void one_past(__global const int* a, __global int* out, int n) {
    const int i = get_global_id(0);
    if (i <= n) out[i] = a[i];  //@ finds outside_buffer subject=a element=50 elements=50 item=50
}
__kernel void far(__global const int* a, __global int* out) {
    out[get_global_id(0)] = a[(long)get_global_id(0) * 1000000000];  //@ finds outside_buffer subject=a
}
__kernel void one_before(__global const int* a, __global int* out) {
    out[get_global_id(0)] = a[(int)get_global_id(0) - 1];  //@ finds outside_buffer element=-1
}

//// a guard with || where && was meant lets work-items outside
//@ launch 8x8 in 4x4; C[42]; M = 6; N = 7
__kernel void guard(__global float* C, int M, int N) {
    const int row = get_global_id(1), col = get_global_id(0);
    if (row < M || col < N) C[row * N + col] = 1;  //@ finds outside_buffer subject=C
}

//// accesses outside of local and private arrays are told with index and type, by index or by pointer
__kernel void by_index(__global float* out) {
    __local float few[16];
    few[get_local_id(0)] = 1;  //@ finds outside_array subject=few index=16
    out[get_global_id(0)] = 1;
}
void set(__local float* t, int i) { t[i] = 1; }  //@ finds outside_array subject=few
__kernel void by_pointer(__global float* out) {
    __local float few[16];
    set(few, get_local_id(0));
    out[get_global_id(0)] = 1;
}
__kernel void private_array(__global float* out) {
    float acc[4];
    for (int i = 0; i <= 4; ++i) acc[i] = 0;  //@ finds outside_array subject=acc
    out[get_global_id(0)] = acc[0];
}

//// an access outside tells which integers had the same value each time
//@ launch a[128]; n = 2
__kernel void same(__global int* out, __global const int* a, int n) {
    const int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k <= n; ++k) sum += a[k * 64 + i];  //@ finds outside_buffer variable k=2 variable n=2 variable i=
    for (int k = 0; k < 2; ++k) sum += a[128 + k];  //@ finds outside_buffer variable k= variable n=2
    out[i] = sum;
}

//// an access outside of an array names the array that the source declares, and the right index
typedef struct { float few[4]; int n; } S;
#define AT(i) t[i]
#define HEAD                                                                                             \
    const int l = get_local_id(0);                                                                       \
    __local float sums[2][32]; __local int t[8]; float own[3][4] = {{0}}; int few[4] = {9, 9, 9, 9};     \
    S s = {{0}, 0};                                                                                      \
    sums[0][l] = sums[1][l] = 0; own[l % 3][l % 4] = 0; if (l < 8) t[l] = 0;                             \
    barrier(CLK_LOCAL_MEM_FENCE);
#define TAIL out[get_global_id(0)] = own[l % 3][0] + s.few[0] + few[0] + t[0] + sums[0][l]; }
#define KERNEL(name) __kernel void name(__global float* out) { HEAD
KERNEL(columns) if (l == 0) sums[1][l + 32] = 1; TAIL  //@ finds outside_array subject=sums[…] index=32 type=float[2][32]
KERNEL(rows) if (l == 0) sums[l + 2][0] = 1; TAIL  //@ finds outside_array subject=sums index=2 type=float[2][32]
KERNEL(own_columns) if (l == 0) own[2][l + 4] = 1; TAIL  //@ finds outside_array subject=own[…] index=4 type=float[3][4]
KERNEL(atomic) if (l == 9) atomic_inc(&t[l]); TAIL  //@ finds outside_array subject=t index=9 type=int[8]
KERNEL(atomic_sum) if (l == 9) atomic_add(&t[l - few[0] + 8], few[1]); TAIL  //@ finds outside_array subject=t index=8 type=int[8]
KERNEL(index) if (l == 9) s.n = t[few[l] & 7]; TAIL  //@ finds outside_array subject=few index=9 type=int[4]
KERNEL(member) if (l == 9) s.few[l] = 1; TAIL  //@ finds outside_array subject=s.few index=9 type=float[4]
KERNEL(macro) if (l == 9) AT(l) = 1; TAIL  //@ finds outside_array subject= index=9 type=int[8]
KERNEL(pointer) if (l == 0) { __local float* p = &sums[0][0]; p[2 * 32 + 3] = 1; } TAIL  //@ finds outside_array subject=sums index=[2][3] type=float[2][32]

//// indices that leave an array or one of its dimensions are found, those that a condition keeps inside not
//@ launch n = 3
#define N 32
__kernel void indices(__global const float* x, __global float* out, const int n) {
    const int l = get_local_id(0), g = get_global_id(0);
    __local float s[N], t[8][N];
    float own[16], grid[4][4];
    s[l] = x[g];
    for (int i = 0; i < 8; ++i) t[i][l] = x[g];
    for (int i = 0; i < 16; ++i) own[i] = x[i];
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) grid[i][j] = x[i * 4 + j];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int k = 0; k <= N; ++k) sum += s[k];  //@ finds outside_array
    for (int k = 0; k < N; ++k) sum += t[1][k + 1];  //@ finds outside_array
    for (int k = 0; k < N; ++k) sum += t[1][k - 1];  //@ finds outside_array
    for (int k = N; k >= 0; --k) sum += t[2][k];  //@ finds outside_array
    for (int k = 8; k > 0; --k) sum += t[k][l];  //@ finds outside_array
    for (int k = 0; k < 16; k += 4) sum += own[k + 4];  //@ finds outside_array
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 5; ++j) sum += grid[i][j];  //@ finds outside_array
    own[-1] = 0;  //@ finds outside_array
    if (l == 0) s[N] = 0;  //@ finds outside_array
    for (int k = 0; k <= N; ++k) sum += k < N ? s[k] : 0;
    for (int k = 1; k <= N; ++k) sum += s[k - 1] + t[3][N - k];
    for (int k = 0; k <= N; ++k) {
        if (k == N) break;
        sum += s[k] + s[(k + 1) % N] + s[(k + 9) & (N - 1)];
    }
    for (int k = 0; k < 16; k += 4) sum += own[k + 3] + ((float*)grid)[k + 3];
    if (n > 100) s[N + 1] = own[17] = 0;
    __local float* const end = s + N;
    out[g] = sum + end[-1] + sizeof(own[16]);
}

//// misaligned vectors, division by zero, overflow and null pointers are told
//@ launch a = 0; n = 70000
#define KERNEL(name) __kernel void name(__global int* a, int n)
#define I get_global_id(0)
KERNEL(vector) { if (I == 0) *(__global int4*)(a + 1) = (int4)(1); }  //@ finds misaligned
KERNEL(division) { a[I] = n / ((int)I - 3); }  //@ finds division_by_zero
KERNEL(square) { a[I] = n * n > 0; }  //@ finds signed_overflow
KERNEL(null) { __global int* p = 0; if (I == 5) p[0] = 1; }  //@ finds null_access
KERNEL(wild) { __global int* p = (__global int*)0x600000000000; if (I == 5) p[0] = 1; }  //@ finds null_access

//// a vector of integers that is divided by zero is told with its line, and ends the observation
//@ launch out = 0
__kernel void vectors(__global int* out) {
    const int4 d = (int4)(1, 2, out[0], 3);  //@ finds xray_crashed signal=SIGFPE
    out[get_global_id(0)] =
        (d / (d - d.xxxx)).w;  //@ finds division_by_zero
}

//// a vector of integers whose quotient no type holds is no division by zero
//@ launch out = 0
__kernel void vectors(__global int* out) {
    const int4 d = (int4)(1 << 31, 2, out[0], 3);  //@ finds xray_crashed signal=SIGFPE
    out[get_global_id(0)] = (d / (int4)(-1, 1, 1, 1)).w;
}

//// recursion is told, whether it ends or not
int sum(int n) {
    if (n < 1) return 0;
    return n + sum(n - 1);  //@ finds recursion subject=sum
}
__kernel void sums(__global int* out) { out[get_global_id(0)] = sum(5) + sum(2); }

//// recursion without end is told
int sum(int n) {
    if (n > 9) return 0;
    return n + sum(n - 1);  //@ finds recursion
}
__kernel void sums(__global int* out) { out[get_global_id(0)] = sum(5) + sum(2); }

//// recursion through another function is found
int even(int n);
int odd(int n) { return n == 0 ? 0 : even(n - 1); }  //@ finds recursion
int even(int n) { return n == 0 ? 1 : odd(n - 1); }  //@ finds recursion
__kernel void both(__global int* out) { out[get_global_id(0)] = odd(7); }

//// a work-item that does not come back is stopped, and its line named
//@ xray most_events=100000
__kernel void loop(__global int* out) {
    volatile int on = 1;
    while (on) {}  //@ finds xray_endless
    out[get_global_id(0)] = 1;
}

//// a kernel that crashes under observation leaves what was found before
__kernel void crash(__global int* out) {
    __local int t[32];
    out[get_global_id(0)] = t[0];  //@ finds unset_read and xray_crashed signal=SIGILL
    __asm__ volatile("ud2");
}

//// a work-item that needs too much private memory is told
__kernel void private_memory(__global int* out) {
    int big[400000];
    big[get_global_id(0)] = 1;
    out[get_global_id(0)] = big[get_global_id(0)];
}
//@ finds xray_not_observed

//// images are not observed
//@ fails *images*
__kernel void picture(__read_only image2d_t in, __global float* out) { out[0] = 1; }

//// source that does not compile is not observed
//@ fails *X-ray: kernel.cl:5:*nothing*
__kernel void k(__global float* out) { out[0] = nothing; }
