import { describe, expect, it } from 'bun:test'
import type { SchemaState } from '../../store/engine/upgrade/schema-state.ts'
import { migrationNames } from '../../store/schema/migrate.ts'
import { checkUpgrade } from './upgrade-checks.ts'

const position = { folder: '/data/upgrade-copies', copyChoice: 'tables' } as const
const stateOf = (applied: readonly string[], oldestProgram = ''): SchemaState => ({
  applied,
  oldestProgram,
  program: { version: '', commit: '9ab5baa56046' },
})

describe('checkUpgrade', () => {
  it('says nothing of a new database, and of one of this version', () => {
    expect(checkUpgrade(undefined, position)).toEqual([])
    expect(checkUpgrade(stateOf(migrationNames), position)).toEqual([])
  })

  it('says what a start would do to an older one', () => {
    const [finding] = checkUpgrade(stateOf(migrationNames.slice(0, -2)), position)
    expect(finding).toMatchObject({ state: 'warn', what: 'upgrade' })
    for (const part of ['9ab5baa56046', ...migrationNames.slice(-2), position.folder, 'no way back'])
      expect(finding?.text).toContain(part)
  })

  it('fails for one that a start would refuse', () => {
    for (const applied of [['0001-first'], [...migrationNames, '9999-later']])
      expect(checkUpgrade(stateOf(applied), position)).toMatchObject([
        { state: 'fail', text: expect.stringContaining('start') },
      ])
  })
})
