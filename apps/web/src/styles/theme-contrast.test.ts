import { describe, expect, it } from 'bun:test'

const css = await Bun.file(`${import.meta.dir}/tokens.css`).text()

/** Hex colours of one theme block. */
function tokensOf(selector: string): ReadonlyMap<string, string> {
  const start = css.indexOf(`${selector} {`)
  const block = css.slice(start, css.indexOf('}', start))
  return new Map(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]),
  )
}

/** WCAG 2 relative luminance. */
function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = Number.parseInt(hex.slice(start, start + 2), 16) / 255
    return channel <= 0.03928 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(first: string, second: string): number {
  const [light = 0, dark = 0] = [luminance(first), luminance(second)].sort((left, right) => right - left)
  return (light + 0.05) / (dark + 0.05)
}

const meanings = ['good', 'warn', 'bad', 'info'] as const
const onSurfaces = ['text', 'muted', 'faint', 'accent-text', ...meanings] as const
const surfaces = ['page', 'surface', 'sunken', 'raised', 'row-hover'] as const
const pairs: readonly (readonly [text: string, behind: string])[] = [
  ...onSurfaces.flatMap((text) => surfaces.map((surface) => [text, surface] as const)),
  ...meanings.map((meaning) => [meaning, `${meaning}-soft`] as const),
  ...meanings.map((meaning) => ['text', `${meaning}-soft`] as const),
  ['text', 'hover'],
  ['muted', 'hover'],
  ['accent-text', 'accent-soft'],
  ['text', 'accent-soft'],
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-accent', 'bad-solid'],
]

describe.each([
  ['light', ':root'],
  ['dark', ':root[data-theme="dark"]'],
] as const)('the %s theme', (_name, selector) => {
  it('holds every text to WCAG AA', () => {
    const tokens = tokensOf(selector)
    const weak = pairs
      .map(([text, behind]) => ({
        text,
        behind,
        ratio: contrast(tokens.get(text) ?? '', tokens.get(behind) ?? ''),
      }))
      .filter(({ ratio }) => !(ratio >= 4.5))
    expect(weak).toEqual([])
  })
})
