import { describe, expect, it } from 'bun:test'
import type { PartHolder } from '@tollgate/api'
import { delegationOf, lockOf, sectionsOf, tabsFor, visibleKeys } from './catalogue.ts'
import { linkObjects, readLinks, readMap } from './json-maps.ts'
import { chargeOf, convertedPrices, priceProblems, startPriceForm, withBatchPrice } from './price-form.ts'
import { type PriceMaps, priceRows, withoutModel, withPrice } from './prices.ts'
import { saveChanges } from './save-changes.ts'
import { changedKeys, lacksAddress, savedText, startTexts } from './texts.ts'

const maps: PriceMaps = {
  perCall: new Map([['draw', 0.04]]),
  ratio: new Map([['chat', 1.25]]),
  completion: new Map([['chat', 4]]),
}

const root: PartHolder = { role: 'root' }
const admin: PartHolder = { role: 'admin' }

describe('who sees what', () => {
  it('keeps the system tab to the root administrator', () => {
    expect(tabsFor(root)).toEqual(['operation', 'ratelimit', 'models', 'system', 'other'])
    expect(tabsFor(admin)).toEqual(['operation', 'ratelimit', 'models', 'other'])
    expect(lockOf('TopUpLink', admin, delegationOf([]))).toBe('readOnly')
  })

  it('keeps what moves money to the root administrator, who can delegate it', () => {
    const delegated = delegationOf([{ key: 'AdminMoneyOptionsEnabled', value: 'true' }])
    const locks = (writer: PartHolder, delegation: typeof delegated) =>
      (['ModelRatio', 'RetryTimes', 'TopUpLink', 'AdminMoneyOptionsEnabled'] as const).map((key) =>
        lockOf(key, writer, delegation),
      )
    expect(locks(admin, delegationOf([]))).toEqual(['readOnlyMoney', undefined, 'readOnly', 'readOnly'])
    expect(locks(admin, delegated)).toEqual([undefined, undefined, 'readOnly', 'readOnly'])
    expect(locks(root, delegationOf([]))).toEqual([undefined, undefined, undefined, undefined])
  })

  it('shows an administrator the settings of their parts', () => {
    const seen = (parts: PartHolder['parts']) =>
      tabsFor({ role: 'admin', parts }).flatMap((tab) =>
        sectionsOf(tab, { role: 'admin', parts }).map(({ group }) => group),
      )
    expect(seen([])).toEqual([])
    expect(seen(['prices'])).toEqual(['pricing', 'groups'])
    expect(seen(['log'])).toEqual(['log'])
    expect(lockOf('LogRetentionDays', { role: 'admin', parts: ['log'] }, delegationOf([]))).toBe('readOnly')
  })

  it('offers no setting of older installations', () => {
    const offered = tabsFor(root).flatMap((tab) => sectionsOf(tab, root).flatMap(({ keys }) => keys))
    expect(offered.map(String)).not.toContain('FileUploadPermission')
    expect(offered).toContain('oidc.enabled')
  })
})

describe('changes', () => {
  const start = startTexts([
    { key: 'GroupRatio', value: '{"default":1}' },
    { key: 'oidc.client_id', value: 'console' },
    { key: 'SMTPToken', value: '', is_set: true },
  ])

  it('are values, not blanks and line breaks', () => {
    expect(
      changedKeys(start, { ...start, GroupRatio: '{"default": 1}', 'oidc/client_id': ' console ' }),
    ).toEqual([])
    expect(changedKeys(start, { ...start, GroupRatio: '{"default": 2}', SMTPToken: ' ' })).toEqual([
      'GroupRatio',
    ])
  })

  it('are saved as they will stand', () => {
    expect(savedText('ServerAddress', ' https://gate.example/ ')).toBe('https://gate.example')
    expect(savedText('Price', '7.299')).toBe('7.3')
    expect(savedText('Price', 'free')).toBe('free')
    expect(savedText('GroupRatio', '{ "default": 1 }')).toBe('{ "default": 1 }')
  })

  it('of payment need a server address', () => {
    expect(lacksAddress('Price', { ServerAddress: ' ' })).toBe(true)
    expect(lacksAddress('Price', { ServerAddress: 'https://gate.example' })).toBe(false)
    expect(lacksAddress('RetryTimes', { ServerAddress: '' })).toBe(false)
  })

  it('are saved switch by switch up to a refused one, the others all the same', async () => {
    const tried: string[] = []
    const { saved, failures } = await saveChanges(
      [
        { key: 'oidc.enabled', value: 'true' },
        { key: 'RetryTimes', value: '3' },
        { key: 'DrawingEnabled', value: 'false' },
        { key: 'RegisterEnabled', value: 'true' },
      ],
      async ({ key }) => {
        tried.push(key)
        if (key === 'oidc.enabled') throw new Error('refused')
      },
    )
    expect(tried).toEqual(['DrawingEnabled', 'RetryTimes', 'oidc.enabled'])
    expect(saved.map(({ key }) => key)).toEqual(['DrawingEnabled', 'RetryTimes'])
    expect(failures.map(({ item, error }) => [item.key, error.message])).toEqual([
      ['oidc.enabled', 'refused'],
    ])
  })

  it('are switched on after a switch that they need, and off before it', async () => {
    const keys = visibleKeys.filter((key) => /^Email.*(Restriction|Verification)/.test(key))
    const orderOf = async (value: string) => {
      const tried: string[] = []
      const changes = keys.map((key) => ({ key, value }))
      await saveChanges(changes, async ({ key }) => tried.push(key))
      return tried.filter((key) => !key.includes('Alias'))
    }
    const needed = ['EmailVerificationEnabled', 'EmailDomainRestrictionEnabled']
    expect(await orderOf('true')).toEqual(needed)
    expect(await orderOf('false')).toEqual(needed.toReversed())
  })
})

describe('prices', () => {
  it('by the call clear the ratios, and by the token the price per call', () => {
    expect(priceRows(withPrice(maps, 'chat', { perCall: 0.1 }))[0]).toEqual({
      model: 'chat',
      perCall: 0.1,
      ratio: undefined,
      completion: undefined,
    })
    const drawn = withPrice(maps, 'draw', { ratio: 2, completion: undefined })
    expect([drawn.perCall.has('draw'), drawn.ratio.get('draw')]).toEqual([false, 2])
  })

  it('leave maps that do not change as they are', () => {
    expect(withoutModel(maps, 'draw').ratio).toBe(maps.ratio)
    expect(withBatchPrice(maps, ['a'], { mode: 'both', first: '1', second: '3' })).toEqual({
      perCall: maps.perCall,
      ratio: new Map([
        ['chat', 1.25],
        ['a', 1],
      ]),
      completion: new Map([
        ['chat', 4],
        ['a', 3],
      ]),
    })
  })

  it('are said as ratios or as dollars per million', () => {
    const form = startPriceForm(priceRows(maps)[0])
    expect([form.input, form.output]).toEqual(['2.5', '10'])
    expect(convertedPrices({ ...form, by: 'price', input: '0.3', output: '0.9' })).toEqual({
      ratio: '0.15',
      completion: '3',
    })
    expect(chargeOf({ ...form, by: 'price', input: '3', output: '' })).toEqual({
      ratio: 1.5,
      completion: undefined,
    })
  })

  it('need a name of their own and numbers', () => {
    const form = { ...startPriceForm(undefined), model: 'chat' }
    expect(priceProblems(form, (model) => model === 'chat')).toEqual({ model: 'nameTaken', ratio: 'number' })
    expect(priceProblems({ ...form, by: 'price', input: '0' }, () => false)).toEqual({ input: 'zero' })
    expect(priceProblems({ ...form, mode: 'call', perCall: '0' }, () => false)).toEqual({ perCall: 'zero' })
  })
})

describe('JSON that is shown as a table', () => {
  it('is not shown when it is something else', () => {
    expect([readMap('[]'), readMap('{'), readLinks('{}'), readLinks('[{"a":"b","c":"d"}]')]).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(linkObjects(readLinks('[{"Chat":"https://a"}]') ?? [])).toEqual([{ Chat: 'https://a' }])
  })
})
