// The DOP register file, d0 to d23: the numbers that the DOTADD unit reads. Triangles use 18 of
// them: their corners in d0 to d8, and in d9 to d17 between the two transforms.
//
// Interface: one port to write, three to read.
// Latency: what is written can be read from the next cycle on; reading takes none.

module dop_file (
    input  logic        clock,
    input  logic        write,
    input  logic [ 4:0] write_index,
    input  logic [31:0] write_value,
    input  logic [ 4:0] index_0,
    input  logic [ 4:0] index_1,
    input  logic [ 4:0] index_2,
    output logic [31:0] value_0,
    output logic [31:0] value_1,
    output logic [31:0] value_2
);

  logic [31:0] values[0:23];

  always_ff @(posedge clock) if (write) values[write_index] <= write_value;

  assign value_0 = values[index_0];
  assign value_1 = values[index_1];
  assign value_2 = values[index_2];

endmodule
