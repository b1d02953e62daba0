type Parts<Shape extends string> = Shape extends `${string}|${infer Rest}`
  ? [string, ...Parts<Rest>]
  : [string]

/**
 * A key of several parts, taken apart.
 * @param shape as the form shows it: `AppId|SecretKey`
 * @throws TypeError for a key with other parts, or an empty one
 */
export function keyParts<const Shape extends string>(key: string, shape: Shape): Parts<Shape> {
  const parts = key.split('|').map((part) => part.trim())
  if (parts.length !== shape.split('|').length || parts.includes(''))
    throw new TypeError(`the key must be ${shape}`)
  return parts as Parts<Shape> // As many as the shape has.
}
