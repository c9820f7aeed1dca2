// The matrix register file: lines of three coefficients and an offset, offset in the highest bits.
//
//   0 to 23    C and c
//   24 to 26   A's corners into B's frame
//   27 to 29   B's corners into A's frame
//   30 to 32   the matrix of a leaf, which the chip loads
//
// Interface: the driver writes single numbers (line and column), the chip whole lines; one port to
// read.
// Latency: what is written can be read from the next cycle on; reading takes none.

module matrix_file (
    input  logic         clock,
    input  logic         write_number,
    input  logic [  5:0] number_line,
    input  logic [  1:0] number_column,
    input  logic [ 31:0] number,
    input  logic         write_line,
    input  logic [  5:0] written_line,
    input  logic [127:0] line_value,
    input  logic [  5:0] line,
    output logic [127:0] value
);

  localparam integer LINES = 33;

  // One memory for each column.
  logic [31:0] column_0[0:LINES-1];
  logic [31:0] column_1[0:LINES-1];
  logic [31:0] column_2[0:LINES-1];
  logic [31:0] column_3[0:LINES-1];

  logic [  5:0] target;
  logic [127:0] values;
  logic [  3:0] columns;
  assign target = write_line ? written_line : number_line;
  assign values = write_line ? line_value : {4{number}};
  assign columns = write_line ? 4'b1111 : (write_number ? 4'b0001 << number_column : 4'b0000);

  always_ff @(posedge clock) begin
    if (columns[0]) column_0[target] <= values[31:0];
    if (columns[1]) column_1[target] <= values[63:32];
    if (columns[2]) column_2[target] <= values[95:64];
    if (columns[3]) column_3[target] <= values[127:96];
  end

  assign value = {column_3[line], column_2[line], column_1[line], column_0[line]};

endmodule
