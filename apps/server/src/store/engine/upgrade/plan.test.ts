import { describe, expect, it } from 'bun:test'
import { programOf } from './landed.ts'
import { planUpgrade } from './plan.ts'

describe('planUpgrade', () => {
  it('lists what a database lacks in the order of the names, whatever it has', () => {
    expect(planUpgrade(['0001', '0003'], ['0001', '0002', '0003', '0004'])).toEqual({
      pending: ['0002', '0004'],
      unknown: [],
      renamed: [],
    })
  })

  it('tells what this program does not know from what had another name', () => {
    const known = ['0001-initial', '0018-credentials']
    expect(planUpgrade(['0001-initial', '0016-credentials', '9999-later'], known)).toEqual({
      pending: [],
      unknown: ['9999-later'],
      renamed: [{ former: '0016-credentials', name: '0018-credentials' }],
    })
  })
})

describe('programOf', () => {
  it('names the commit by the migration that landed last, not by the highest number', () => {
    expect(programOf(['0001-initial', '0013-security-events', '0010-secret-rotation']).commit).toStartWith(
      'ee54ecd4',
    )
    expect(programOf(['0001-initial', '0013-security-events']).commit).toStartWith('b8fe0f96')
    expect(programOf(['0001-initial', '0020-privileged-users']).commit).toStartWith('17a2f295')
  })

  it('knows nothing of a database with a migration that has not landed here', () => {
    expect(programOf(['0001-initial', '9999-later'])).toEqual({ version: '', commit: '' })
  })
})
