//! What shaders share: coverage of a rounded box, written by hand, since the stock outlines blur a line of
//! one pixel over two.

use makepad_widgets::*;

live_design! {
    pub Shape = {
        // Share of the pixel at `point` that a box from (0, 0) to `size` covers; one pixel is 1 / `dpi`.
        fn rounded(point: vec2, size: vec2, radius: float, dpi: float) -> float {
            let half = size * 0.5;
            let corner = min(radius, min(half.x, half.y));
            let q = abs(point - half) - half + vec2(corner, corner);
            let distance = min(max(q.x, q.y), 0.0) + length(max(q, vec2(0.0, 0.0))) - corner;
            return clamp(0.5 - distance * dpi, 0.0, 1.0);
        }

        // The band between two outlines that lie `from` and `to` outside the box.
        fn band(point: vec2, size: vec2, radius: float, from: float, to: float, dpi: float) -> float {
            let near = vec2(from, from);
            let far = vec2(to, to);
            let inner = Shape::rounded(point + near, size + near * 2.0, radius + from, dpi);
            let outer = Shape::rounded(point + far, size + far * 2.0, radius + to, dpi);
            return clamp(outer - inner, 0.0, 1.0);
        }

        // Fill with a line of width 1 inside the edge, premultiplied.
        fn framed(point: vec2, size: vec2, radius: float, fill: vec4, line: vec4, dpi: float) -> vec4 {
            let outer = Shape::rounded(point, size, radius, dpi);
            let inner = Shape::rounded(
                point - vec2(1.0, 1.0),
                size - vec2(2.0, 2.0),
                max(radius - 1.0, 0.0),
                dpi
            );
            let body = vec4(fill.rgb * fill.a, fill.a);
            let edge = vec4(line.rgb * line.a, line.a);
            return mix(edge + body * (1.0 - line.a), body, inner) * outer;
        }
    }
}
