import type { VideoOrder } from './task.ts'
import { refusedValue } from './video-order.ts'

/** Sizes are of whole blocks of pixels: 704 and 1088 lines are called 720 and 1080. */
const tolerance = 0.03
/** Pictures that are not 16:9 have about as many pixels as one that is. */
const areaTolerance = 0.1

/**
 * The resolution of the size that was ordered; `undefined` where none was.
 * @param resolutions those that the upstream makes, as `720p`, `1080P` or `4k`
 * @throws RequestFault for a size of none of them
 */
export function resolutionOf<const Name extends string>(
  { size }: VideoOrder,
  resolutions: readonly Name[],
): Name | undefined {
  if (size === undefined) return undefined
  const lines = Math.min(size.width, size.height)
  const area = size.width * size.height
  const found =
    resolutions.find((name) => isNear(lines, linesIn(name), tolerance)) ??
    resolutions.find((name) => isNear(area, linesIn(name) ** 2 * (16 / 9), areaTolerance))
  if (found !== undefined) return found
  throw refusedValue('size', `${size.width}x${size.height}`, resolutions.map(wideSize))
}

function isNear(value: number, wanted: number, within: number): boolean {
  return Math.abs(Math.log(value / wanted)) < within
}

function linesIn(resolution: string): number {
  return resolution.toLowerCase() === '4k' ? 2160 : Number.parseInt(resolution, 10)
}

/** What a caller could write for it. */
function wideSize(resolution: string): string {
  const lines = linesIn(resolution)
  return `${Math.round((lines * 8) / 9) * 2}x${lines}`
}
