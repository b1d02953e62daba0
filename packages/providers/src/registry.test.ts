import { describe, expect, it } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { providerFor } from './registry.ts'
import { providerTable, rowOf } from './table.ts'

describe('registry', () => {
  it('gives every row of the table its provider, and each type and name to one row', () => {
    for (const { type, id, baseUrl } of providerTable)
      expect(providerFor(type)).toMatchObject({ id, defaultBaseUrl: baseUrl })
    expect(new Set(providerTable.map(({ type }) => type)).size).toBe(providerTable.length)
    expect(new Set(providerTable.map(({ name }) => name)).size).toBe(providerTable.length)
  })

  it('keeps a row without its profile within twelve lines', () => {
    const sources = ['table.ts', 'added-rows.ts'].map((file) =>
      readFileSync(join(import.meta.dir, file), 'utf8'),
    )
    const rows = sources.flatMap((source) => source.match(/^ {2}\{\n.*?^ {2}\},$/gms) ?? [])
    expect(rows.length).toBe(providerTable.length)
    const withoutProfile = rows.map((row) => row.replace(/^ {4}profile: \{\n.*?^ {4}\},\n/ms, ''))
    expect(withoutProfile.filter((row) => row.split('\n').length > 12)).toEqual([])
  })

  it('has code in the folder of a provider of its own shape, and of no other', () => {
    const folder = join(import.meta.dir, 'vendors')
    const coded = readdirSync(folder).filter((id) => readdirSync(join(folder, id)).includes('index.ts'))
    const ownShapes = providerTable.flatMap(({ id, serves }) => (serves === undefined ? [id] : []))
    expect(coded.sort()).toEqual([...new Set(ownShapes)].sort())
    for (const id of readdirSync(folder)) expect(rowOf(id).id).toBe(id)
  })

  it('serves no type outside the table', () => {
    for (const id of [0, -1, 13.5, 999, Number.NaN]) expect(providerFor(id)).toBeUndefined()
  })
})
