import { describe, expect, it } from 'bun:test'
import { Glob } from 'bun'

const folder = import.meta.dir

interface Texts {
  readonly [key: string]: string | Texts
}

/** Keys of a file in dotted form, with their texts. */
function flatten(texts: Texts, prefix = ''): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]) =>
      typeof value === 'string' ? [[prefix + key, value] as const] : [...flatten(value, `${prefix}${key}.`)],
    ),
  )
}

async function readTexts(language: string, namespace: string): Promise<ReadonlyMap<string, string>> {
  return flatten((await Bun.file(`${folder}/${language}/${namespace}.json`).json()) as Texts)
}

const namespacesOf = (language: string): readonly string[] =>
  [...new Glob('*.json').scanSync(`${folder}/${language}`)].map((file) => file.replace('.json', '')).sort()

const slots = (text: string): readonly string[] =>
  [...text.matchAll(/\{\{(\w+)\}\}/g)].map((slot) => slot[1] ?? '').sort()
const withoutPlural = (key: string): string => key.replace(/_(zero|one|two|few|many|other)$/, '')

/** Second names of things, each with the name that Chinese texts use; the README of the console has the list. */
const synonyms = [
  [/供应商/, '服务商'],
  [/标价/, '官方价'],
  [/消耗/, '消费'],
  [/利润率/, '毛利率'],
  [/API 密钥/, 'API 令牌'],
  [/您的账号|用户账号/, '账户'],
  [/ tokens? [\u4e00-\u9fff]/, 'Token'],
] as const

/** Every quoted text of the source, and every template as a pattern with `.*` for what is filled in. */
async function mentionedKeys(): Promise<(key: string) => boolean> {
  const exact = new Set<string>()
  const patterns: RegExp[] = []
  for await (const file of new Glob('**/*.{ts,tsx}').scan(`${folder}/..`)) {
    if (file.endsWith('.test.ts')) continue
    const source = await Bun.file(`${folder}/../${file}`).text()
    for (const [, text = ''] of source.matchAll(/'((?:[^'\\\n]|\\.)*)'/g)) exact.add(text)
    for (const [, text = ''] of source.matchAll(/`([^`\n]*\$\{[^`\n]*)`/g)) {
      const parts = text.split(/\$\{[^}]*\}/)
      // A template that starts with a slot would match everything.
      if (parts[0] === '') continue
      patterns.push(
        new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`),
      )
    }
  }
  return (key) => exact.has(key) || patterns.some((pattern) => pattern.test(key))
}

describe('texts', () => {
  const namespaces = namespacesOf('en')

  it('exist for the same namespaces in both languages', () => {
    expect(namespacesOf('zh')).toEqual([...namespaces])
  })

  it.each(namespaces)('%s has the same keys and slots in both languages', async (namespace) => {
    const [english, chinese] = await Promise.all([readTexts('en', namespace), readTexts('zh', namespace)])
    const keys = (texts: ReadonlyMap<string, string>) =>
      [...new Set([...texts.keys()].map(withoutPlural))].sort()
    expect(keys(chinese)).toEqual(keys(english))
    for (const [key, text] of chinese) {
      const original = english.get(key)
      if (original !== undefined) expect([key, slots(text)]).toEqual([key, slots(original)])
    }
  })

  it.each(namespaces)('%s has no empty text', async (namespace) => {
    for (const language of ['en', 'zh']) {
      const empty = [...(await readTexts(language, namespace))].filter(([, text]) => text.trim() === '')
      expect(empty).toEqual([])
    }
  })

  it('call one thing by one name in Chinese', async () => {
    const second: string[] = []
    for (const namespace of namespaces)
      for (const [key, text] of await readTexts('zh', namespace))
        for (const [synonym, name] of synonyms)
          if (synonym.test(text)) second.push(`${namespace}:${key} says “${text}”: use ${name}`)
    expect(second).toEqual([])
  })

  it.each(['en', 'zh'])('name an option in the audit log as the settings do, in %s', async (language) => {
    const [inAudit, inSettings] = [await readTexts(language, 'audit'), await readTexts(language, 'settings')]
    const options = [...inSettings].flatMap(([key, label]) => {
      const name = /^field\.(\w+)\.label$/.exec(key)?.[1]
      const named = inAudit.get(`field.${name}`)
      return named === undefined ? [] : [[name, named, label]]
    })
    expect(options.length).toBeGreaterThan(10)
    expect(options.filter(([, named, label]) => named !== label)).toEqual([])
  })

  it('have no punctuation of one language behind them in the source', async () => {
    const behind = /\bt\((?:[^()]|\([^()]*\))*\)\}(?::|,|;|\.)(?:\s|\{|\$)/g
    // `localList` joins items.
    const between = /\.join\((['"])(?:, |、)\1\)|`, \$\{|\/>,\{' '\}/g
    const found: string[] = []
    for await (const file of new Glob('**/*.{ts,tsx}').scan(`${folder}/..`)) {
      if (/\.test\.tsx?$/.test(file)) continue
      const source = await Bun.file(`${folder}/../${file}`).text()
      const matches = [...source.matchAll(behind), ...source.matchAll(between)]
      for (const [text] of matches) found.push(`${file}: ${text}`)
    }
    expect(found).toEqual([])
  })

  it('are all used', async () => {
    const isMentioned = await mentionedKeys()
    const unused: string[] = []
    for (const namespace of namespaces) {
      for (const key of (await readTexts('en', namespace)).keys()) {
        // The texts of every page are two files of one namespace.
        const full = `${namespace === 'pages' ? 'common' : namespace}:${key}`
        if (![key, withoutPlural(key), full].some(isMentioned)) unused.push(full)
      }
    }
    expect(unused).toEqual([])
  })
})
