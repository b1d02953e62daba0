import type { Provider, RelayMode } from '../../packages/providers/src/index.ts'
import type { ProfileEntry } from '../../packages/providers/src/profile/target-profile.ts'
import type { ProviderRow } from '../../packages/providers/src/table.ts'
import { accountSection } from './account-section.ts'
import { profileSection } from './profile-section.ts'

const modeNames: Readonly<Record<RelayMode, string>> = {
  chat: 'chat',
  completions: 'completions',
  embeddings: 'embeddings',
  moderations: 'moderations',
  rerank: 'rerank',
  images: 'images',
  'image-edits': 'edits of images',
  'image-variations': 'variations of images',
  speech: 'speech',
  transcriptions: 'transcriptions',
  translations: 'translations',
}
const taskNames = { drawing: 'drawings', music: 'music', video: 'videos' } as const

/**
 * The page of a provider in docs/providers: facts from its rows and its code, then what its README says by hand.
 * @param rows all rows with the provider's id
 * @param notes text of `vendors/<id>/README.md`; empty where it has none
 */
export function providerPage(
  rows: readonly ProviderRow[],
  provider: Provider,
  notes: string,
  profile: ProfileEntry,
): string {
  const [row] = rows
  if (row === undefined) throw new TypeError(`the table has no row of ${provider.id}`)
  const facts = [...factsOf(row, provider)].map((fact) => wrapped(fact, '* '))
  const parts = [
    `# ${rows.map(({ name, type }) => `${name} (type ${type})`).join(' and ')}`,
    '<!-- Written by `npm run docs:providers`: edit packages/providers/src/table.ts or the README of the provider. -->',
    ['| Field | Value |', '|---|---|', ...fieldsOf(row)].join('\n'),
    wrapped(`${served(provider)} ${translation(provider)}${questions(provider)}`, ''),
    facts.join('\n'),
    linked(notes),
    profileSection(profile),
    accountSection(row.id),
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

function fieldsOf({ baseUrl, address, key, other }: ProviderRow): readonly string[] {
  const addresses = {
    host: 'needed',
    endpoint: 'the endpoint of the resource',
    complete: 'the complete address',
  }
  const value = baseUrl === '' ? addresses[address ?? 'host'] : `empty for \`${baseUrl}\``
  return [
    `| API address | ${value} |`,
    `| Key | ${key.replaceAll('|', '\\|')} |`,
    ...(other === undefined ? [] : [`| Free field | ${other.hint}${standard(other.standard)} |`]),
  ]
}

function standard(value: string | undefined): string {
  return value === undefined ? '' : `; empty for \`${value}\``
}

function served({ modes, tasks = {}, realtime }: Provider): string {
  const tasksServed = Object.entries(taskNames).flatMap(([name, stated]) => (name in tasks ? [stated] : []))
  const all = [...modes.map((mode) => modeNames[mode]), ...tasksServed]
  return `Serves ${listed(realtime === undefined ? all : [...all, 'sessions of the Realtime API'])}.`
}

/** Says how the chat of callers of each dialect gets there. */
function translation(provider: Provider): string {
  if (!provider.modes.includes('chat')) return ''
  const target = sampleTarget(provider)
  const dialects = {
    'openai-chat': 'Chat Completions',
    'openai-responses': 'Responses',
    'anthropic-messages': 'Messages',
    gemini: 'Gemini',
  } as const
  const isNative = (format: keyof typeof dialects) =>
    provider.operation('chat', target, format)?.format === format
  const formats = Object.keys(dialects) as readonly (keyof typeof dialects)[] // Its keys are the formats.
  const native = formats.filter(isNative).map((format) => dialects[format])
  const others = formats.filter((format) => !isNative(format)).map((format) => dialects[format])
  if (native.length === 0) return 'Requests of callers of another form than its own are translated. '
  return `Requests of ${listed(native)} pass as received, those of ${listed(others)} are translated. `
}

function questions({ models, balance, counting }: Provider): string {
  return [
    models === undefined
      ? 'It has no list of models: name them in the channel.'
      : 'The list of models is asked for.',
    balance === undefined ? 'There is no balance.' : 'The balance is asked for.',
    ...(counting === undefined ? [] : ['Prompts can be counted there.']),
  ].join(' ')
}

/** Lists the facts of a row about an upstream of OpenAI's form. */
function* factsOf(
  { serves, lacks = [], legacy, source }: ProviderRow,
  provider: Provider,
): Generator<string> {
  if (legacy === true)
    yield 'A relay of the early days. Channels of this type keep working; new ones are better of type [OpenAI](openai.md) with an address.'
  if (serves?.includes('chat') === true) {
    yield provider.operation('chat', sampleTarget(provider), 'openai-chat')?.streamOptions === true
      ? 'The usage of streams is asked for by `stream_options`.'
      : '`stream_options` is left out; where a stream tells no usage the gateway counts, and the log row says that it is an estimate.'
  }
  if (lacks.includes('reasoning_content'))
    yield 'Reasoning inside `<think>` becomes reasoning for callers of other dialects; callers of Chat Completions get the response as it came.'
  if (source !== undefined) yield `Documentation of the vendor: <${source}>`
}

function sampleTarget({ defaultBaseUrl: baseUrl }: Provider) {
  return { baseUrl, key: 'k', upstreamModel: 'm', openaiOrganization: '', other: '' }
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

/** Returns the notes without their title, and with their links as they are from docs/providers. */
function linked(notes: string): string {
  return notes
    .replace(/^# .*\n+/, '')
    .replaceAll('](../../../../../docs/providers/', '](')
    .replaceAll('](../../../../../docs/', '](../')
    .trim()
}

const width = 118

/** The text in lines of a page's width; those after the first are indented as far as `start` is long. */
function wrapped(text: string, start: string): string {
  const lines = [start]
  for (const word of text.trim().split(' ')) {
    const line = lines.at(-1) ?? ''
    if (line.length + word.length > width && line.trim() !== start.trim())
      lines.push(`${' '.repeat(start.length)}${word} `)
    else lines[lines.length - 1] = `${line}${word} `
  }
  return lines.map((line) => line.trimEnd()).join('\n')
}
