import { type logTopFigures, logTypes } from '@tollgate/api'
import type { Times } from '../../../../lib/format/time-range.ts'
import { takeTimes } from './time-words.ts'

/** Calls that words describe, as filters of the usage log. */
export interface LogWords extends Times {
  readonly result?: 'failed' | 'charged' | 'rescued'
  /** Ranks the calls by a figure, the greatest first. */
  readonly sort?: (typeof logTopFigures)[number]
  readonly user?: string
  readonly model?: string
  readonly key?: string
  /** A number or a name. */
  readonly channel?: string
}

/** Rights of the reader, and the names that are known. */
export interface LogWordsContext {
  readonly now: Date
  /** Name of the person who types: "my" calls are theirs. */
  readonly self: string
  /** The person reads everyone's log: users, channels and rescued calls are filters. */
  readonly everyones: boolean
  readonly models: readonly string[]
}

interface Reading {
  /** Text that no rule has understood yet; what a rule took is a bar. */
  readonly rest: string
  readonly words: LogWords
}

type Named = 'user' | 'model' | 'key' | 'channel'

const bar = '|'
/** A name in quotes may have spaces; others end where the next words begin. */
const quoted = '["“「『]([^"”」』|]+)["”」』]'
const word = '([^\\s|"“”「」的,，]+)'
const name = `(?:${quoted}|${word})`

interface Rule {
  readonly pattern: RegExp
  readonly filter: Named | 'subject'
}

/** Rules by which names are found, in their order: a word before a name says of which kind it is. */
const nameRules: readonly Rule[] = [
  {
    pattern: new RegExp(`(?:(?:through|via|over|on|by|of|to|at|from) )?(?:the )?channel #?${name}`, 'i'),
    filter: 'channel',
  },
  { pattern: new RegExp(`(?:通过|经由?|走|在)?渠道 ?#?${name}`), filter: 'channel' },
  {
    pattern: new RegExp(`(?:(?:with|by|of|from|using|for) )?(?:the )?(?:api )?(?:key|token) ${name}`, 'i'),
    filter: 'key',
  },
  { pattern: new RegExp(`(?:使用|用|通过)?(?:密钥|令牌) ?${name}`), filter: 'key' },
  { pattern: new RegExp(`(?:(?:to|with|on|of|for|using) )?(?:the )?model ${name}`, 'i'), filter: 'model' },
  { pattern: new RegExp(`(?:调用|使用|用)?模型 ?${name}`), filter: 'model' },
  { pattern: new RegExp(`(?:(?:of|by|from|for) )?(?:the )?user ${name}`, 'i'), filter: 'user' },
  { pattern: new RegExp(`用户 ?${name}`), filter: 'user' },
  { pattern: new RegExp(`(?:through|via|over) ${name}`, 'i'), filter: 'channel' },
  { pattern: new RegExp(`(?<![^\\s|])(?:to|with|on|using) ${name}`, 'i'), filter: 'model' },
  { pattern: new RegExp(`(?<![^\\s|])(?:of|by|from|for) ${name}`, 'i'), filter: 'subject' },
  { pattern: new RegExp(`${word}(?:'s|’s)(?=[\\s|]|$)`, 'i'), filter: 'subject' },
]

const results: readonly (readonly [RegExp, NonNullable<LogWords['result']>])[] = [
  [
    /\b(?:that (?:were )?)?(?:rescued|saved by (?:a )?(?:retry|failover)|failed over)\b|(?:重试|换渠道|故障转移)后?成功|被挽救/i,
    'rescued',
  ],
  [
    /\b(?:(?:that|which) )?(?:have )?(?:failed|failing|failures?|errors?|broken|unsuccessful)\b|失败|出错|报错|错误|异常/i,
    'failed',
  ],
  [/\b(?:that )?(?:succeeded|successful|charged|billed)\b|成功|已计费|扣费/i, 'charged'],
]

const rankings: readonly (readonly [RegExp, NonNullable<LogWords['sort']>])[] = [
  [
    /\b(?:that (?:took|take|lasted) (?:the )?long(?:er|est)?|(?:slow|long)(?:er|est)?(?: first)?|took long(?:er|est)?)\b|(?:最|较|很|太)?(?:慢|久)|耗时(?:最|较|很|太)?(?:长|久|高)/i,
    'duration',
  ],
  [
    /\b(?:(?:most )?(?:expensive|costly)|(?:dear|costli)(?:er|est)|dear|that cost (?:the )?most)(?: first)?\b|(?:最|较|很|太)?(?:昂?贵)|(?:费用|花费|花钱|消费|扣费)(?:最|较|很|太)?(?:高|多)/i,
    'quota',
  ],
]

const subjects = /\b(?:calls?|requests?|usage log|logs?|log entries)\b|调用|请求|日志/i
const ownWords = /\b(?:my(?: own)?|of mine|mine)\b|我的|我自己的/i
const fillers =
  /\b(?:show(?: me)?|list|find|open|all|every|any|the|which|that|what|were|was|are|made|sent|did|have|has|and|top|most)\b|查看|查找|显示|列出|找出|打开|看看|所有|全部|哪些|记录|发起|次数|以及|的|了|里|中|在|由|看|查/gi

/**
 * Reads words such as "failed calls of emil since Monday" as filters of the usage log.
 * @returns `undefined` for a text that is no such phrase as a whole, or that asks for what the reader may not filter by
 */
export function readLogWords(text: string, context: LogWordsContext): LogWords | undefined {
  const { times, rest } = takeTimes(` ${text.trim()} `, context.now)
  const named = nameRules.reduce((reading, rule) => takeName(reading, rule, context), {
    rest,
    words: {},
  } as Reading)
  const own = takeOwn(named, context)
  const [sort, withoutRanking] = takeOneOf(rankings, own.rest)
  const [result, plain] = takeOneOf(results, withoutRanking)
  const hasSubject = subjects.test(plain)
  const left = plain.replace(new RegExp(subjects, 'gi'), bar).replace(fillers, bar)
  const words: LogWords = { ...own.words, ...(result && { result }), ...(sort && { sort }), ...times }
  if (!isPhrase({ hasSubject, result, times, words })) return undefined
  const complete = withBareName(words, left.split(/[\s|,，。?？]+/).filter(Boolean), context)
  return complete && isAllowed(complete, context) ? complete : undefined
}

/** A subject or a result, and something that narrows it. */
function isPhrase({
  hasSubject,
  result,
  times,
  words,
}: {
  readonly hasSubject: boolean
  readonly result: LogWords['result'] | undefined
  readonly times: Times | undefined
  readonly words: LogWords
}): boolean {
  if (result !== undefined) return hasSubject || Object.keys(words).length > 1
  return hasSubject && (times !== undefined || Object.keys(words).length > 0)
}

function takeName({ rest, words }: Reading, { pattern, filter }: Rule, context: LogWordsContext): Reading {
  const found = pattern.exec(rest)
  if (!found) return { rest, words }
  const value = found[1] ?? found[2] ?? ''
  const own = /^(?:me|mine)$/i.test(value)
  const kind = filter === 'subject' ? kindOf(value, context) : filter
  if (words[kind] !== undefined || (kind === 'model' && subjects.test(value))) return { rest, words }
  return { rest: rest.replace(found[0], bar), words: own ? words : { ...words, [kind]: value } }
}

/** A name without a word that says its kind is of a model that is known, and of a person otherwise. */
function kindOf(value: string, { models, everyones }: LogWordsContext): 'model' | 'user' {
  const known = models.some((model) => model.toLowerCase() === value.toLowerCase())
  return known || !everyones ? 'model' : 'user'
}

function takeOwn({ rest, words }: Reading, { everyones, self }: LogWordsContext): Reading {
  if (!ownWords.test(rest)) return { rest, words }
  return { rest: rest.replace(ownWords, bar), words: everyones ? { ...words, user: self } : words }
}

function takeOneOf<Value>(
  rules: readonly (readonly [RegExp, Value])[],
  rest: string,
): readonly [Value | undefined, string] {
  for (const [pattern, value] of rules) if (pattern.test(rest)) return [value, rest.replace(pattern, bar)]
  return [undefined, rest]
}

/** One word that nothing explains is a name; two are a text of another kind. */
function withBareName(
  words: LogWords,
  left: readonly string[],
  context: LogWordsContext,
): LogWords | undefined {
  const [value, ...others] = left
  if (value === undefined) return words
  const kind = kindOf(value, context)
  return others.length > 0 || words[kind] !== undefined ? undefined : { ...words, [kind]: value }
}

function isAllowed({ user, channel, result }: LogWords, { everyones }: LogWordsContext): boolean {
  return everyones || (user === undefined && channel === undefined && result !== 'rescued')
}

/** Returns the parameters of the log's address: a model that is not known by its complete name is looked for inside of names. */
export function logSearchOf(
  { result, sort, user, model, key, range, from, to }: LogWords,
  channel: number | undefined,
  models: readonly string[],
) {
  return {
    ...(result === 'failed' && { type: logTypes.error }),
    ...(result === 'charged' && { type: logTypes.consumption }),
    ...(result === 'rescued' && { rescued: true }),
    ...(sort !== undefined && { sort }),
    ...(user !== undefined && { user }),
    ...(model !== undefined && { model: models.includes(model) ? model : `*${model}*` }),
    ...(key !== undefined && { token: key }),
    ...(channel !== undefined && { channel }),
    ...(range !== undefined && { range }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
  }
}
