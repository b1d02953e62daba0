import { describe, expect, it } from 'bun:test'
import { type Command, readCommandLine } from './command-line.ts'

const run = async () => 0
const commands: readonly Command[] = [
  { name: 'serve', summary: 'start', run },
  {
    name: 'copy',
    operands: ['FILE', 'OTHER?'],
    options: { force: { help: 'replace' }, from: { value: 'WHERE', isRequired: true, help: 'whence' } },
    summary: 'copy a file',
    details: 'It takes a while.',
    run,
  },
]

function wordsOf(...args: string[]) {
  const line = readCommandLine(commands, args)
  return line.kind === 'command' ? { name: line.command.name, ...line.words } : line.kind
}

function wrongOf(...args: string[]): string | undefined {
  const line = readCommandLine(commands, args)
  return line.kind === 'wrong' ? line.text.split('\n')[0] : line.kind
}

describe('readCommandLine', () => {
  it('runs the first command when none is named', () => {
    expect(wordsOf()).toMatchObject({ name: 'serve', operands: [] })
  })

  it('reads operands, values and switches', () => {
    expect(wordsOf('copy', 'a', '--from', 'b', '--force')).toEqual({
      name: 'copy',
      operands: ['a'],
      values: { from: 'b' },
      switches: new Set(['force']),
    })
    expect(wordsOf('copy', 'a', 'c', '--from=b')).toMatchObject({ operands: ['a', 'c'], switches: new Set() })
  })

  it('says what is missing or too much', () => {
    expect(wrongOf('fly')).toBe('unknown command "fly"')
    expect(wrongOf('serve', 'now')).toBe('serve does not take "now"')
    expect(wrongOf('--from', 'b')).toBe('serve does not take "--from b"')
    expect(wrongOf('copy', '--from', 'b')).toBe('copy needs FILE')
    expect(wrongOf('copy', 'a')).toBe('copy needs --from WHERE')
    expect(wrongOf('copy', 'a', '--from=')).toBe('copy needs --from WHERE')
    expect(wrongOf('copy', 'a', '--from')).toBe('copy does not take "a --from"')
    expect(wrongOf('copy', 'a', 'b', 'c', '--from', 'd')).toBe('copy does not take "a b c --from d"')
  })

  it('lists the commands, and tells more of one', () => {
    const list = readCommandLine(commands, ['--help'])
    expect(list).toMatchObject({ kind: 'help' })
    expect(list.kind === 'help' && list.text).toContain('copy FILE [OTHER] --from WHERE\n')
    const one = readCommandLine(commands, ['copy', '-h'])
    expect(one.kind === 'help' && one.text).toContain('It takes a while.\n\nOptions\n  --force')
    expect(readCommandLine(commands, ['-v'])).toEqual({ kind: 'version' })
  })
})
