// The registers that the driver writes and reads, one 32-bit word at each address.
//
//   0x000 + 4 l + c   matrix line l, 0 to 29: coefficients c = 0 to 2 and the offset c = 3
//   0x100 + l         correspondence line l, 0 to 65
//   0x180             cycles from the first number of a volume to its first row
//   0x181, 0x182      the places of the roots of A and B
//   0x183, 0x184      where the nodes of A and B begin, in units of 128 bytes
//   0x185, 0x186      where their triangles begin
//   0x187             words of the SRAM
//   0x188             control. Bit 0 starts a query; bit 1: leaves are compared before their
//                     triangles
//   0x189             status, read only. Bit 0: a query runs; bit 1: it is done; bit 2: its lists
//                     did not fit into the SRAM; bit 3: two triangles that intersect are in 0x18a,
//                     0x18b
//   0x18a, 0x18b      triangle of A, triangle of B; writing 0x18b gives them back
//   0x18c             cycles of the query, read only
//
// Interface: `write` with `address` and `write_value`; `read_value` is that of `address` in the
// same cycle. Only status, results and cycles can be read.
// Latency: what is written takes effect in the next cycle.

module register_map (
    input  logic        clock,
    input  logic        reset,
    input  logic        write,
    input  logic [ 8:0] address,
    input  logic [31:0] write_value,
    output logic [31:0] read_value,
    // the register files
    output logic        matrix_write,
    output logic [ 5:0] matrix_line,
    output logic [ 1:0] matrix_column,
    output logic        correspondence_write,
    output logic [ 6:0] correspondence_line,
    output logic [31:0] value,
    // the query
    output logic        start,
    output logic        compare_leaves,
    output logic [ 4:0] fill,
    output logic [31:0] root_a,
    output logic [31:0] root_b,
    output logic [31:0] nodes_a,
    output logic [31:0] nodes_b,
    output logic [31:0] triangles_a,
    output logic [31:0] triangles_b,
    output logic [18:0] stack_words,
    input  logic        busy,
    input  logic        finished,
    input  logic        overflow,
    input  logic [31:0] cycles,
    input  logic        found,
    input  logic [31:0] found_a,
    input  logic [31:0] found_b,
    output logic        result_pending
);

  assign matrix_write = write && address < 9'h084;
  assign matrix_line = address[7:2];
  assign matrix_column = address[1:0];
  assign correspondence_write = write && address[8:7] == 2'b10;
  assign correspondence_line = address[6:0];
  assign value = write_value;
  assign start = write && address == 9'h188 && write_value[0];

  logic [31:0] result_a, result_b;
  logic        done;

  always_ff @(posedge clock) begin
    if (write) begin
      case (address)
        9'h180: fill <= write_value[4:0];
        9'h181: root_a <= write_value;
        9'h182: root_b <= write_value;
        9'h183: nodes_a <= write_value;
        9'h184: nodes_b <= write_value;
        9'h185: triangles_a <= write_value;
        9'h186: triangles_b <= write_value;
        9'h187: stack_words <= write_value[18:0];
        9'h188: compare_leaves <= write_value[1];
        default: ;
      endcase
    end
    if (reset || start) done <= 1'b0;
    else if (finished) done <= 1'b1;
    if (reset || start) result_pending <= 1'b0;
    else if (found) result_pending <= 1'b1;
    else if (write && address == 9'h18b) result_pending <= 1'b0;
    if (found) {result_a, result_b} <= {found_a, found_b};
  end

  always_comb begin
    case (address)
      9'h189: read_value = {28'd0, result_pending, overflow, done, busy};
      9'h18a: read_value = result_a;
      9'h18b: read_value = result_b;
      9'h18c: read_value = cycles;
      default: read_value = 32'd0;
    endcase
  end

endmodule
