import type { Language, Statement, StatementLineName } from '@tollgate/api'
import type { Zone } from '@tollgate/api/calendar'
import { byteOrderMark, csvLine } from '../../lib/csv.ts'
import { localTime, moneyCells, moneyHeaders } from '../../lib/export-cells.ts'

type Texts = Readonly<Record<Language, string>>

const headers: Readonly<Record<Language, readonly string[]>> = {
  en: ['Statement', 'Time', 'Line', 'Detail', 'Calls'],
  zh: ['账单编号', '时间', '项目', '说明', '调用次数'],
}

const names: Readonly<Record<StatementLineName | 'opening' | 'closing' | 'charges', Texts>> = {
  opening: { en: 'Opening balance', zh: '期初余额' },
  closing: { en: 'Closing balance', zh: '期末余额' },
  charges: { en: 'Charges', zh: '调用扣费' },
  top_ups: { en: 'Top-ups', zh: '充值' },
  codes: { en: 'Redemption codes', zh: '兑换码' },
  gifts: { en: 'Gifts', zh: '赠送' },
  goodwill: { en: 'Goodwill credits', zh: '补偿' },
  refunds: { en: 'Refunds', zh: '退款' },
  disputes: { en: 'Disputes', zh: '争议' },
  corrections: { en: 'Corrections', zh: '扣费更正' },
  adjustments: { en: 'Adjustments', zh: '调整' },
  moved: { en: 'Moved from another account', zh: '其他账户转入' },
  held: { en: 'Held for open tasks', zh: '任务预扣' },
}

/**
 * Encodes a statement as CSV: the opening balance, each move with a line of its own or one for all of its kind, charges by model, and the
 * closing balance. All lines between the balances add up from one to the other. A key without a limit has no balances.
 */
export function statementCsv(statement: Statement, language: Language, zone: Zone): string {
  const { number, quota_per_unit, is_unlimited, lines, entries, by_model, charges, from, end } = statement
  const row = (at: number, line: keyof typeof names, detail: string, calls: number | '', amount: number) =>
    csvLine([
      ...[number, localTime(at, zone), names[line][language], detail, calls],
      ...moneyCells(amount, quota_per_unit),
    ])
  const balance = (at: number, line: 'opening' | 'closing') =>
    is_unlimited ? [] : [row(at, line, '', '', statement[line])]
  const listed = lines.flatMap(({ line, amount }) => {
    const own = entries.filter((entry) => entry.line === line)
    const isComplete = own.reduce((sum, entry) => sum + entry.amount, 0) === amount && own.length > 0
    return isComplete
      ? own.map((entry) => row(entry.at, line, entry.note, '', entry.amount))
      : [row(end - 1, line, '', '', amount)]
  })
  const models = by_model.length > 0 ? by_model : [{ name: '', ...charges }]
  return [
    byteOrderMark + csvLine([...headers[language], ...moneyHeaders('charge', language)]),
    ...balance(from, 'opening'),
    ...listed,
    ...models.map(({ name, calls, amount }) => row(end - 1, 'charges', name, calls, -amount)),
    ...balance(end - 1, 'closing'),
  ].join('')
}
