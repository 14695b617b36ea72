#define AT(row, column, columns) ((row) * (columns) + (column))
