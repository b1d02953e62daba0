import { describe, expect, it } from 'bun:test'
import { z } from 'zod'
import { modelCapabilities, modelTable, namedModels } from './model-table.ts'

const usd = z.number().min(0).max(10_000)
const tokens = z.int().positive()
const prices = [
  'input',
  'output',
  'cacheRead',
  'cacheWrite',
  'audioInput',
  'audioOutput',
  'imageInput',
] as const
const row = z.strictObject({
  names: z.array(z.string().min(1)).min(1),
  vendor: z.string(),
  context: tokens.optional(),
  maxOutput: tokens.optional(),
  can: z.array(z.enum(modelCapabilities)).optional(),
  price: z
    .strictObject({
      ...Object.fromEntries(
        [...prices, 'imageOutput', 'call', 'second'].map((name) => [name, usd.optional()]),
      ),
      resolutions: z.record(z.string().regex(/^(\d{3,4}p|\dk)$/), z.number().positive()).optional(),
    })
    .optional(),
})

describe('the table of models', () => {
  it('names the date and source of its figures', () => {
    expect(modelTable.date).toMatch(/^20\d\d-\d\d-\d\d$/)
    for (const [vendor, address] of Object.entries(modelTable.sources))
      expect([vendor, URL.canParse(address)]).toEqual([vendor, true])
    const vendors = new Set(modelTable.models.map(({ vendor }) => vendor))
    expect([...vendors].filter((vendor) => !Object.hasOwn(modelTable.sources, vendor))).toEqual([])
  })

  it('has rows of one shape, and each name once', () => {
    z.array(row).parse(modelTable.models)
    const names = namedModels.map(([name]) => name)
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
  })

  it('names the vendor of each surcharge, with a source, in the form of their settings', () => {
    const { tools, tiers, steps } = modelTable.surcharges
    for (const { vendor, names } of [...tools, ...tiers, ...steps]) {
      expect(Object.keys(modelTable.sources)).toContain(vendor)
      expect(names.length).toBeGreaterThan(0)
    }
    for (const list of [tools, tiers, steps]) {
      const names = list.flatMap((row) => row.names)
      expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
    }
  })

  it('dates releases of its own models, each once and with a source', () => {
    const known = new Set(namedModels.map(([name]) => name))
    const names = modelTable.releases.flatMap((release) => release.names)
    expect(names.filter((name, index) => !known.has(name) || names.indexOf(name) !== index)).toEqual([])
    for (const { date, source } of modelTable.releases)
      expect([
        date <= modelTable.date,
        new Date(date).toISOString().slice(0, 10),
        URL.canParse(source),
      ]).toEqual([true, date, true])
  })

  it('prices generated media beside the text', () => {
    for (const [name, { price }] of namedModels) {
      if (price !== undefined)
        expect([name, 'input' in price || 'call' in price || 'second' in price]).toEqual([name, true])
    }
  })
})
