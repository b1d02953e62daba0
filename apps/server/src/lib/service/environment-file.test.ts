import { afterEach, beforeEach, describe, expect, it } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnvironmentFile } from './environment-file.ts'
import { findUnit, readServiceEnvironment } from './unit-environment.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-unit-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)

describe('parseEnvironmentFile', () => {
  it('reads assignments as systemd and compose do', () => {
    const text = [
      '# settings',
      '; of the service',
      '',
      'PORT=3000',
      '  HOST = not an assignment',
      'export LOG_LEVEL=warn',
      `PLAIN=a b#c   `,
      `SINGLE='a "b" \\n'`,
      'DOUBLE="a \'b\' \\"c\\" \\\\ d"',
      'LONG=one\\',
      'two',
      'EMPTY=',
      'WITH=a=b',
    ].join('\n')
    expect(parseEnvironmentFile(text)).toEqual({
      PORT: '3000',
      LOG_LEVEL: 'warn',
      PLAIN: 'a b#c',
      SINGLE: 'a "b" \\n',
      DOUBLE: `a 'b' "c" \\ d`,
      LONG: 'onetwo',
      EMPTY: '',
      WITH: 'a=b',
    })
  })
})

describe('readServiceEnvironment', () => {
  it('reads a unit with its drop-ins, its files and its folder', () => {
    writeFileSync(at('first.env'), 'PORT=4000\nLOG_LEVEL=warn\n')
    writeFileSync(
      at('tollgate.service'),
      `[Unit]
Environment=PORT=1
[Service]
Environment=DATA_DIR=%S/tollgate "NAME=two words" PORT=3000
EnvironmentFile=-${at('first.env')}
EnvironmentFile=-${at('missing.env')}
WorkingDirectory=%S/tollgate
[Install]
Environment=PORT=2
`,
    )
    expect(readServiceEnvironment(at('tollgate.service'))).toEqual({
      DATA_DIR: '/var/lib/tollgate',
      NAME: 'two words',
      PORT: '4000',
      LOG_LEVEL: 'warn',
    })
    mkdirSync(at('tollgate.service.d'))
    writeFileSync(
      at('tollgate.service.d/10-data.conf'),
      '[Service]\nEnvironment=\nEnvironment=DATA_DIR=here\n',
    )
    expect(readServiceEnvironment(at('tollgate.service'))).toEqual({
      DATA_DIR: '/var/lib/tollgate/here',
      PORT: '4000',
      LOG_LEVEL: 'warn',
    })
    expect(findUnit([at('elsewhere'), folder])).toBe(at('tollgate.service'))
    expect(findUnit([at('elsewhere')])).toBeUndefined()
  })

  it('says in one sentence what it cannot read', () => {
    expect(() => readServiceEnvironment(at('missing'))).toThrow(
      /^\S+missing cannot be read \(ENOENT\): [^\n]+$/,
    )
    writeFileSync(at('tollgate.service'), `[Service]\nEnvironmentFile=${at('missing.env')}\n`)
    expect(() => readServiceEnvironment(at('tollgate.service'))).toThrow('missing.env cannot be read')
  })
})
