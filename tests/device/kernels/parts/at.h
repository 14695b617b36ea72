// SPDX-License-Identifier: Apache-2.0
#define AT(row, column, columns) ((row) * (columns) + (column))
