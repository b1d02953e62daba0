import type { Frame } from '@tollgate/formats'

/** The events of a stream that came whole, where an upstream answers in no other way and the caller wants no stream. */
export function eventsIn(text: string): readonly Frame[] {
  return text.split(/(?:\r\n|\r|\n){2,}/).flatMap((block) => {
    const lines = block.split(/\r\n|\r|\n/)
    const data = valuesOf(lines, 'data').join('\n')
    return data === '' ? [] : [{ event: valuesOf(lines, 'event').at(-1) ?? '', data }]
  })
}

function valuesOf(lines: readonly string[], name: string): readonly string[] {
  return lines.flatMap((line) =>
    line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, '')] : [],
  )
}
