import { describe, expect, it } from 'bun:test'
import { blankManyForm, countPreview, inPreviewOrder, lossOf, manyChangeOf } from './many-form.ts'

describe('a change of many channels, as it is filled in', () => {
  it('is nothing until a field has a value', () => {
    expect(manyChangeOf(blankManyForm)).toBeUndefined()
    const empty = { models: { mode: 'add', names: [] }, tag: { mode: 'set', text: ' ' } } as const
    expect(manyChangeOf({ ...blankManyForm, ...empty })).toBeUndefined()
  })

  it('has the fields that are filled in, zeros and removals too', () => {
    expect(
      manyChangeOf({
        models: { mode: 'remove', names: ['a', 'b'] },
        group: { mode: 'replace', names: ['vip'] },
        priority: 0,
        weight: undefined,
        tag: { mode: 'clear', text: 'kept while typing' },
        proxy: { mode: 'set', text: ' http://proxy:1 ' },
      }),
    ).toEqual({
      models: { mode: 'remove', names: 'a,b' },
      group: { mode: 'replace', names: 'vip' },
      priority: 0,
      tag: '',
      proxy: 'http://proxy:1',
    })
  })

  it('takes models and groups away by a removal, and by a list that replaces theirs', () => {
    const names = ['a', 'b']
    const removal = { models: { mode: 'remove', names }, group: { mode: 'keep', names: [] } } as const
    expect(lossOf(removal)).toEqual({ lost_models: 'a,b' })
    const added = { models: { mode: 'add', names }, group: { mode: 'replace', names } } as const
    expect(lossOf(added)).toEqual({ group: 'a,b' })
    expect(lossOf({ ...added, group: { mode: 'add', names } })).toBeUndefined()
  })

  it('is counted and ordered by what needs a look', () => {
    const change = { field: 'tag', lost: [], gained: ['x'] } as const
    const previews = [
      { id: 1, name: 'same', message: '', changes: [] },
      { id: 2, name: 'changed', message: '', changes: [{ ...change, lost: [], gained: ['x'] }] },
      { id: 3, name: 'refused', message: 'no', changes: [] },
    ]
    expect(countPreview(previews)).toEqual({ changed: 1, refused: 1, same: 1 })
    expect(inPreviewOrder(previews).map(({ name }) => name)).toEqual(['refused', 'changed', 'same'])
  })
})
