import { describe, expect, it } from 'bun:test'
import { type LogWords, logSearchOf, readLogWords } from './log-words.ts'

/** A Thursday afternoon by the clock of this device. */
const now = new Date(2026, 10, 26, 15, 30)
const root = { now, self: 'root', everyones: true, models: ['gpt-4o', 'claude-sonnet-4-5'] }

const at = (day: number, hour = 0, minute = 0) => new Date(2026, 10, day, hour, minute).getTime() / 1000
const since = (day: number) => ({ from: at(day) })
const days = (first: number, last = first) => ({ from: at(first), to: at(last + 1) - 1 })

type Phrases = readonly (readonly [string, LogWords])[]
const failed = { result: 'failed' } as const
const slowest = { sort: 'duration' } as const
const dearest = { sort: 'quota' } as const

const english: Phrases = [
  ['failed calls', failed],
  ['failed calls of emil since Monday', { ...failed, user: 'emil', ...since(23) }],
  ['Failed requests by emil since yesterday', { ...failed, user: 'emil', ...since(25) }],
  ["emil's failed calls", { ...failed, user: 'emil' }],
  ["show me emil's errors today", { ...failed, user: 'emil', range: 'today' }],
  ['calls of emil', { user: 'emil' }],
  ['calls of user emil yesterday', { user: 'emil', range: 'yesterday' }],
  ['requests from emil last week', { user: 'emil', range: 'last-week' }],
  ['errors in the last hour', { ...failed, range: '1h' }],
  ['failures of the past 24 hours', { ...failed, range: '24h' }],
  ['failed calls in the last 15 minutes', { ...failed, range: '15m' }],
  ['failed calls over the last 2 hours', { ...failed, from: at(26, 13, 30) }],
  ['calls this month', { range: 'month' }],
  ['calls to gpt-4o', { model: 'gpt-4o' }],
  ['failed calls of gpt-4o today', { ...failed, model: 'gpt-4o', range: 'today' }],
  ['gpt-4o failures since Tuesday', { ...failed, model: 'gpt-4o', ...since(24) }],
  ['calls with model llama-9 on Monday', { model: 'llama-9', ...days(23) }],
  ['failed calls on channel 7', { ...failed, channel: '7' }],
  ['errors on channel #7 today', { ...failed, channel: '7', range: 'today' }],
  [
    'failed calls through "Main upstream" yesterday',
    { ...failed, channel: 'Main upstream', range: 'yesterday' },
  ],
  ['calls with key laptop', { key: 'laptop' }],
  ['failed calls with the key "my laptop" since 9:00', { ...failed, key: 'my laptop', from: at(26, 9) }],
  ['rescued calls today', { result: 'rescued', range: 'today' }],
  ['calls rescued since last Friday', { result: 'rescued', ...since(20) }],
  ['calls between Monday and Wednesday', days(23, 25)],
  ['failed calls from 2026-11-20 to 2026-11-22', { ...failed, ...days(20, 22) }],
  ['calls of emil between Nov 20 and Nov 22', { user: 'emil', ...days(20, 22) }],
  ['calls on 20 November', days(20)],
  ['calls of emil to gpt-4o since yesterday', { user: 'emil', model: 'gpt-4o', ...since(25) }],
  ['my failed calls this week', { ...failed, user: 'root', range: 'week' }],
  ['successful calls of emil today', { result: 'charged', user: 'emil', range: 'today' }],
  ['all requests before Tuesday', { to: at(24) - 1 }],
  ['failed calls emil yesterday', { ...failed, user: 'emil', range: 'yesterday' }],
  ['calls since noon', { from: at(26, 12) }],
  ['slow calls', slowest],
  ['slowest calls of emil today', { ...slowest, user: 'emil', range: 'today' }],
  ['the longest requests to gpt-4o this week', { ...slowest, model: 'gpt-4o', range: 'week' }],
  ['failed calls that took longest yesterday', { ...failed, ...slowest, range: 'yesterday' }],
  ['expensive calls', dearest],
  ['most expensive calls of emil since Monday', { ...dearest, user: 'emil', ...since(23) }],
  ['my dearest calls this month', { ...dearest, user: 'root', range: 'month' }],
  ['costliest requests with key laptop', { ...dearest, key: 'laptop' }],
]

const chinese: Phrases = [
  ['失败的调用', failed],
  ['emil 周一以来失败的调用', { ...failed, user: 'emil', ...since(23) }],
  ['emil 从周一起的失败调用', { ...failed, user: 'emil', ...since(23) }],
  ['用户 emil 昨天的失败请求', { ...failed, user: 'emil', range: 'yesterday' }],
  ['用户emil的调用', { user: 'emil' }],
  ['张三今天失败的请求', { ...failed, user: '张三', range: 'today' }],
  ['查看用户张三的日志', { user: '张三' }],
  ['今天的失败调用', { ...failed, range: 'today' }],
  ['昨天报错的请求', { ...failed, range: 'yesterday' }],
  ['前天的调用', days(24)],
  ['最近一小时的失败调用', { ...failed, range: '1h' }],
  ['最近 15 分钟出错的调用', { ...failed, range: '15m' }],
  ['过去24小时的请求', { range: '24h' }],
  ['最近7天失败的请求', { ...failed, range: '7d' }],
  ['最近两小时的调用', { from: at(26, 13, 30) }],
  ['本周的失败调用', { ...failed, range: 'week' }],
  ['上周失败的调用', { ...failed, range: 'last-week' }],
  ['本月的调用', { range: 'month' }],
  ['上个月的失败请求', { ...failed, range: 'last-month' }],
  ['模型 gpt-4o 的失败调用', { ...failed, model: 'gpt-4o' }],
  ['gpt-4o 今天的调用', { model: 'gpt-4o', range: 'today' }],
  ['渠道 7 的失败调用', { ...failed, channel: '7' }],
  ['渠道“主上游”昨天的错误', { ...failed, channel: '主上游', range: 'yesterday' }],
  ['令牌 laptop 的调用', { key: 'laptop' }],
  ['密钥“我的 笔记本”今天的失败调用', { ...failed, key: '我的 笔记本', range: 'today' }],
  ['今天重试后成功的调用', { result: 'rescued', range: 'today' }],
  ['周一到周三的调用', days(23, 25)],
  ['11月20日至11月22日的失败请求', { ...failed, ...days(20, 22) }],
  ['从2026-11-20到2026-11-22的调用', days(20, 22)],
  ['周二的失败请求', { ...failed, ...days(24) }],
  ['上周五以来的调用', since(20)],
  ['我的失败调用', { ...failed, user: 'root' }],
  ['今天9点以后的失败调用', { ...failed, from: at(26, 9) }],
  ['下午2点半以来的请求', { from: at(26, 14, 30) }],
  ['慢的调用', slowest],
  ['今天最慢的请求', { ...slowest, range: 'today' }],
  ['emil 本周耗时最长的调用', { ...slowest, user: 'emil', range: 'week' }],
  ['最贵的调用', dearest],
  ['昨天费用最高的请求', { ...dearest, range: 'yesterday' }],
  ['模型 gpt-4o 本月花费最多的调用', { ...dearest, model: 'gpt-4o', range: 'month' }],
]

describe('words for the usage log', () => {
  it.each(english)('reads "%s"', (text, words) => expect(readLogWords(text, root)).toEqual(words))
  it.each(chinese)('reads “%s”', (text, words) => expect(readLogWords(text, root)).toEqual(words))

  it.each([
    'gpt-4o',
    'Main upstream',
    'calls',
    'emil',
    'error log retention days',
    'pricing',
    '调用',
    '日志保留天数',
    'failed',
    'calls of emil of olga',
    'add user',
    'calls of emil with a red hat',
    'slow',
    '最慢',
  ])('leaves "%s" to the search', (text) => expect(readLogWords(text, root)).toBeUndefined())

  it('offers nobody a filter that their log does not have', () => {
    const person = { ...root, self: 'emil', everyones: false }
    for (const text of [
      'failed calls of user olga',
      'calls through channel 7',
      'rescued calls',
      '渠道 7 的调用',
    ])
      expect([text, readLogWords(text, person)]).toEqual([text, undefined])
    expect(readLogWords('my failed calls today', person)).toEqual({ ...failed, range: 'today' })
    expect(readLogWords('failed calls of llama-9', person)).toEqual({ ...failed, model: 'llama-9' })
  })

  it("becomes an address of the log: a part of a model's name is a pattern", () => {
    const words = { ...failed, user: 'emil', key: 'laptop', range: 'today' } as const
    expect(logSearchOf({ ...words, model: 'gpt-4o' }, 7, root.models)).toEqual({
      type: 5,
      user: 'emil',
      model: 'gpt-4o',
      token: 'laptop',
      channel: 7,
      range: 'today',
    })
    expect(
      logSearchOf({ result: 'rescued', sort: 'quota', model: 'llama', from: 1 }, undefined, root.models),
    ).toEqual({
      rescued: true,
      sort: 'quota',
      model: '*llama*',
      from: 1,
    })
  })

  it('takes a date that is still ahead for that of the year before', () =>
    expect(readLogWords('calls on Dec 24', root)).toEqual({
      from: new Date(2025, 11, 24).getTime() / 1000,
      to: new Date(2025, 11, 25).getTime() / 1000 - 1,
    }))
})
