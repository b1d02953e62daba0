import { casesOf, type Kind } from '../kind.ts'
import { literal } from '../world.ts'

interface Options {
  /** The record of a change of `Notice`. */
  readonly recordId: number
}

const watched = [
  'TurnstileCheckEnabled',
  'TurnstileSiteKey',
  'TurnstileSecretKey',
  'EmailVerificationEnabled',
  'EmailDomainRestrictionEnabled',
  'Notice',
  'ModelRatio',
  'ModelPrice',
  'CompletionRatio',
]

/** Options with requirements between them, and prices: the same rows for all. */
export const options: Kind<Options> = {
  rows: 'options',
  isGlobal: true,
  async create({ rows, roots: [root] }) {
    const first = { TurnstileCheckEnabled: 'false', EmailDomainRestrictionEnabled: 'false' }
    const then = {
      TurnstileSiteKey: 'site',
      TurnstileSecretKey: 'secret',
      EmailVerificationEnabled: 'true',
      EmailDomainWhitelist: 'example.com',
      Notice: 'at first',
    }
    const texts = Object.entries({ ...first, ...then }).map(([key, value]) => ({ key, value }))
    const prices = ['ModelRatio', 'ModelPrice', 'CompletionRatio'].map((key) => ({ key, clear: true }))
    await root?.api('PUT', '/api/option/batch', { options: [...texts, ...prices] })
    await root?.option('Notice', 'then')
    const [record] = await rows.select(
      `select max(id) as id from audit_log where target_kind = 'option' and target_name = 'Notice'`,
    )
    return { recordId: Number(record?.['id']) }
  },
  async read({ rows }) {
    const found = await rows.select(
      `select key, value from options where key in (${watched.map(literal).join()}) order by key`,
    )
    return JSON.stringify(
      found.map(({ key, value }) => [
        key,
        key === 'TurnstileSecretKey' ? value !== '' : comparable(String(value)),
      ]),
    )
  },
  cases: [
    ...casesOf<Options>('options.set', {
      'check people': () => set('TurnstileCheckEnabled', 'true'),
      'empty the site key': () => set('TurnstileSiteKey', ''),
      'empty the secret': () => ({ body: { key: 'TurnstileSecretKey', clear: true } }),
      'restrict domains': () => set('EmailDomainRestrictionEnabled', 'true'),
      'verify no address': () => set('EmailVerificationEnabled', 'false'),
      'a notice': () => set('Notice', 'a notice'),
    }),
    ...casesOf<Options>('options.setMany', {
      'check people by other keys': () => ({
        body: {
          options: [
            { key: 'TurnstileSiteKey', value: 'other' },
            { key: 'TurnstileCheckEnabled', value: 'true' },
          ],
        },
      }),
    }),
    ...casesOf<Options>('options.resetModelRatio', { reset: () => ({}) }),
    ...casesOf<Options>('modelPrices.save', {
      'price of one model': () => price('priced-one'),
      'price of another': () => price('priced-two'),
    }),
    ...casesOf<Options>('auditLog.revert', {
      'revert the notice': ({ recordId }) => ({ params: { id: recordId } }),
    }),
  ],
}

const set = (key: string, value: string) => ({ body: { key, value } })

const price = (model_name: string) => ({ body: { model_name, price: { input: 3, output: 6 } } })

/** Returns the entries of a map that the cases write, and the number of all. */
function comparable(text: string): unknown {
  if (!text.startsWith('{')) return text
  const entries = Object.entries(JSON.parse(text) as object)
  return [entries.length, entries.filter(([name]) => name.startsWith('priced-')).toSorted()]
}
