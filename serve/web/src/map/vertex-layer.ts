// Points and lines of one pixel, a vertex each.
//
// The layers that come with deck.gl draw an instance of four vertices for each point. Where there is no
// graphics card, the browser draws instances one by one, which takes a hundred times as long: 200,000
// points must be moved smoothly there, too.

import { Layer, project32, type LayerProps, type UpdateParameters } from "@deck.gl/core";
import type { Buffer } from "@luma.gl/core";
import { Model } from "@luma.gl/engine";
import type { Rgb } from "./palette";

/** What is drawn. The arrays must not be changed: another array tells that there is something new. */
export interface Vertices {
  /** x0, y0, x1, y1, … */
  positions: Float32Array;
  /** RGBA of each vertex. */
  colors: Uint8Array;
  /** The radius of each point, as a multiple of the property radius. Lines need none. */
  radii?: Float32Array;
  /** How many of the vertices are drawn, from the first on; by default all. */
  count?: number;
}

interface OwnProps {
  vertices: Vertices;
  topology: "point-list" | "line-list";
  /** Pixels, for points. */
  radius: number;
  /** Whether points have a darker rim. */
  rim: boolean;
  /** A colour that takes the place of those of the vertices; null leaves them. */
  tint: Rgb | null;
}

type Props = LayerProps & OwnProps;

type Uniforms = { tint: [number, number, number, number]; radius: number; ratio: number; opacity: number; rim: number; round: number };

const block = `
layout(std140) uniform vertexLayerUniforms {
  vec4 tint;
  float radius;
  float ratio;
  float opacity;
  float rim;
  float round;
} vertexLayer;
`;

const uniforms = {
  name: "vertexLayer",
  vs: block,
  fs: block,
  uniformTypes: { tint: "vec4<f32>", radius: "f32", ratio: "f32", opacity: "f32", rim: "f32", round: "f32" },
} as const;

const vs = `#version 300 es
in vec2 positions;
in float radii;
in vec4 colors;
out vec4 color;
out float size;
void main() {
  // What project_position does for a flat map, without asking each vertex which kind of map it is.
  gl_Position = project_common_position_to_clipspace(vec4(vec3(positions, 0.0) - project.coordinateOrigin, 1.0));
  size = max(1.6, 2.0 * vertexLayer.ratio * vertexLayer.radius * radii);
  // Half a pixel more at each side, for the soft edge.
  gl_PointSize = size + 1.0;
  color = vec4(mix(colors.rgb, vertexLayer.tint.rgb, vertexLayer.tint.a), colors.a * vertexLayer.opacity);
}
`;

const fs = `#version 300 es
precision highp float;
in vec4 color;
in float size;
out vec4 fragColor;
void main() {
  fragColor = color;
  if (vertexLayer.round > 0.5) {
    float pixels = 0.5 * size - length(gl_PointCoord - 0.5) * (size + 1.0);
    if (pixels <= -0.5) discard;
    fragColor.a *= min(1.0, pixels + 0.5);
    if (vertexLayer.rim > 0.5 && pixels < 1.2 * vertexLayer.ratio) fragColor.rgb *= 0.35;
  }
}
`;

interface State {
  model: Model;
  buffers: Buffer[];
}

export class VertexLayer extends Layer<OwnProps> {
  static override layerName = "VertexLayer";

  override initializeState(): void {
    this.setState(this.make());
  }

  private make(): State {
    const { device } = this.context;
    const { vertices, topology, id } = this.props;
    const count = vertices.positions.length / 2;
    const positions = device.createBuffer({ data: vertices.positions });
    const colors = device.createBuffer({ data: vertices.colors });
    const radii = device.createBuffer({ data: vertices.radii ?? new Float32Array(count).fill(1) });
    const model = new Model(device, {
      id,
      ...super.getShaders({ vs, fs, modules: [project32, uniforms] }),
      topology,
      bufferLayout: [
        { name: "positions", format: "float32x2" },
        { name: "radii", format: "float32" },
        { name: "colors", format: "unorm8x4" },
      ],
      attributes: { positions, radii, colors },
      vertexCount: vertices.count ?? count,
      isInstanced: false,
    });
    return { model, buffers: [positions, radii, colors] };
  }

  override updateState(params: UpdateParameters<this>): void {
    super.updateState(params);
    const { vertices } = params.props;
    const old = params.oldProps.vertices as Vertices | undefined;
    const { model, buffers } = this.state as unknown as State;
    if (!old || old === vertices) return;
    if (old.positions.length !== vertices.positions.length) {
      this.release();
      this.setState(this.make());
      return;
    }
    // As many as before: only what is new is sent.
    const [positions, radii, colors] = buffers;
    if (old.positions !== vertices.positions) positions?.write(vertices.positions);
    if (vertices.radii && old.radii !== vertices.radii) radii?.write(vertices.radii);
    if (old.colors !== vertices.colors) colors?.write(vertices.colors);
    model.setVertexCount(vertices.count ?? vertices.positions.length / 2);
    model.setNeedsRedraw("vertices");
  }

  override draw(): void {
    const { model } = this.state as unknown as State;
    const { radius, rim, tint, topology, opacity } = this.props as Props & { opacity: number };
    const ratio = this.context.device.canvasContext?.cssToDeviceRatio() ?? 1;
    const [r, g, b] = tint ?? [0, 0, 0];
    const values: Uniforms = { tint: [r / 255, g / 255, b / 255, tint ? 1 : 0], radius, ratio, opacity, rim: rim ? 1 : 0, round: topology === "point-list" ? 1 : 0 };
    model.shaderInputs.setProps({ vertexLayer: values });
    model.draw(this.context.renderPass);
  }

  override finalizeState(context: this["context"]): void {
    super.finalizeState(context);
    this.release();
  }

  private release(): void {
    const { model, buffers } = this.state as unknown as State;
    model.destroy();
    for (const buffer of buffers) buffer.destroy();
  }
}
