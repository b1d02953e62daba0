import { describe, expect, it } from 'bun:test'
import { actionsColumn, type DataColumn, nextSort } from './columns.ts'
import { visibilityFrom } from './table-view.tsx'

const column = (id: string, rest: Partial<DataColumn<{ id: number }>> = {}): DataColumn<{ id: number }> => ({
  id,
  header: id,
  cell: (row) => row.id,
  ...rest,
})
const columns = [column('name'), column('group'), column('expires', { hidden: true }), column(actionsColumn)]

describe('column choice', () => {
  it('shows what is not hidden until the person chooses', () => {
    expect(visibilityFrom(columns, null)).toEqual({ name: true, group: true, expires: false, actions: true })
    expect(visibilityFrom(columns, '{"group":false,"expires":true}')).toMatchObject({
      group: false,
      expires: true,
    })
  })

  it('never hides the first column or the actions, and ignores a choice it cannot read', () => {
    expect(visibilityFrom(columns, '{"name":false,"actions":false}')).toMatchObject({
      name: true,
      actions: true,
    })
    expect(visibilityFrom(columns, 'broken')).toMatchObject({ group: true })
  })
})

describe('nextSort', () => {
  it('goes from descending over ascending to none', () => {
    const first = nextSort('used', undefined)
    expect(first).toEqual({ column: 'used', descending: true })
    expect(nextSort('used', first)).toEqual({ column: 'used', descending: false })
    expect(nextSort('used', { column: 'used', descending: false })).toBeUndefined()
  })
})
