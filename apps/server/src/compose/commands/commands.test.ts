import { describe, expect, it } from 'bun:test'
import { loadCommands } from './commands.ts'

const namesOf = async (...args: readonly string[]) =>
  (await loadCommands(args, 'serve')).map(({ name }) => name)

describe('loadCommands', async () => {
  const all = await namesOf('--help')

  it('loads all for the help, and each alone under its own name', async () => {
    expect(all.length).toBeGreaterThan(10)
    expect(await namesOf('serve', '-h')).toEqual(all)
    for (const name of all) expect(await namesOf(name, 'word')).toEqual([name])
  })

  it('loads none for a start of the gateway', async () => {
    expect(await namesOf()).toEqual([])
    expect(await namesOf('serve', '--env-file', 'x')).toEqual([])
  })

  it('loads all for what is no command, also where an object has a member of that name', async () => {
    for (const word of ['serv', '--env-file', 'constructor', 'toString', '__proto__'])
      expect(await namesOf(word)).toEqual(all)
  })
})
