// The correspondence register file: for each row that the DOTADD unit evaluates, its line of the
// matrix register file, which three numbers it takes from the DOP register file, and where its
// result goes; for each pair of operands of the triangle unit, which two.
//
//   0 to 23    the rows of C in the order in which they are evaluated
//   24 to 32   A's corners into B's frame, d0..d8 to d9..d17
//   33 to 41   B's corners into A's frame, the same
//   42 to 50   corners by a leaf's matrix, d9..d17 to d0..d8
//   51 to 65   five pairs for each edge
//
// A line, from its lowest bit: three indices of five bits, the index of the result, and six bits
// for the line of the matrix.
//
// Latency: what is written can be read from the next cycle on; reading takes none.

module correspondence_file (
    input  logic        clock,
    input  logic        write,
    input  logic [ 6:0] write_line,
    input  logic [25:0] write_value,
    input  logic [ 6:0] line,
    output logic [25:0] value
);

  localparam integer LINES = 66;
  logic [25:0] lines[0:LINES-1];

  always_ff @(posedge clock) if (write) lines[write_line] <= write_value;

  assign value = lines[line];

endmodule
