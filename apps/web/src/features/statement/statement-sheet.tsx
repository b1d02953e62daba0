import type { Statement, StatementChargeLine } from '@tollgate/api'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Notice } from '../../components/ui/tag.tsx'
import { useSystemName } from '../../lib/api/status.ts'
import { formatDateTime, formatInteger, quotaToCurrency } from '../../lib/format/format.ts'
import { monthName } from './months.ts'

interface StatementProps {
  readonly statement: Statement
}

/** A statement as it is read and printed: everything that leads from one balance to the other. */
export function StatementSheet({ statement }: StatementProps) {
  const { t, i18n } = useTranslation('statement')
  return (
    <article className="printed flex w-full max-w-[860px] flex-col gap-5 rounded-lg border bg-surface px-6 py-5 max-sm:px-4">
      <Head statement={statement} />
      {statement.is_open && <Notice tone="info">{t('open')}</Notice>}
      {statement.kind === 'group' && <p className="text-muted text-xs">{t('groupHint')}</p>}
      <Amounts title={t('summary')} name={t('line.line')} statement={statement}>
        {!statement.is_unlimited && (
          <AmountRow name={t('line.opening')} amount={statement.opening} statement={statement} strong />
        )}
        {statement.lines.map(({ line, amount, count }) => (
          <AmountRow
            key={line}
            name={t(`line.${line}`)}
            count={formatInteger(count)}
            amount={amount}
            statement={statement}
          />
        ))}
        <AmountRow
          name={t('line.charges')}
          count={formatInteger(statement.charges.calls)}
          amount={-statement.charges.amount}
          statement={statement}
        />
        {!statement.is_unlimited && (
          <AmountRow name={t('line.closing')} amount={statement.closing} statement={statement} strong />
        )}
      </Amounts>
      <Breakdown title={t('byModel')} name={t('model')} lines={statement.by_model} statement={statement} />
      <Breakdown
        title={t(statement.kind === 'group' ? 'byUser' : 'byKey')}
        name={t(statement.kind === 'group' ? 'user' : 'key')}
        lines={statement.by_account}
        statement={statement}
      />
      {statement.entries.length > 0 && (
        <Amounts title={t('entries')} name={t('line.line')} statement={statement}>
          {statement.entries.map((entry, index) => (
            <AmountRow
              // biome-ignore lint/suspicious/noArrayIndexKey: moves have no names, and their order is that of the ledger
              key={index}
              name={`${formatDateTime(entry.at)} · ${t(`line.${entry.line}`)}${entry.note && ` · ${entry.note}`}`}
              amount={entry.amount}
              statement={statement}
            />
          ))}
        </Amounts>
      )}
      <p className="text-muted text-xs">
        {t('units', {
          units: formatInteger(statement.quota_per_unit),
          month: monthName(statement.month, i18n.language),
        })}
      </p>
    </article>
  )
}

function Head({ statement }: StatementProps) {
  const { t, i18n } = useTranslation('statement')
  const site = useSystemName()
  const { kind, id, name, from, end } = statement
  const facts = [
    [t('number'), statement.number],
    [t(`kind.${kind}`), kind === 'group' ? name : `${name} (${id})`],
    [t('period'), t('span', { from: formatDateTime(from), to: formatDateTime(end - 1) })],
    [t('zone'), Intl.DateTimeFormat().resolvedOptions().timeZone],
  ] as const
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="font-semibold text-base">
          {t('of', { month: monthName(statement.month, i18n.language) })}
        </h2>
        <span className="font-medium text-muted text-sm">{site}</span>
      </div>
      <dl className="grid grid-cols-2 gap-x-6 gap-y-1.5 text-sm max-sm:grid-cols-1">
        {facts.map(([label, value]) => (
          <div key={label} className="flex min-w-0 flex-wrap gap-x-2">
            <dt className="text-muted">{label}</dt>
            <dd className="figures min-w-0 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </header>
  )
}

interface BreakdownProps extends StatementProps {
  readonly title: string
  readonly name: string
  readonly lines: readonly StatementChargeLine[]
}

function Breakdown({ title, name, lines, statement }: BreakdownProps) {
  const { t } = useTranslation('statement')
  if (lines.length === 0) return null
  return (
    <Amounts title={title} name={name} statement={statement}>
      {lines.map((line) => (
        <AmountRow
          key={`${line.id} ${line.name}`}
          name={line.name || (line.id > 0 ? `#${line.id}` : t('others'))}
          count={formatInteger(line.calls)}
          amount={line.amount}
          statement={statement}
        />
      ))}
      <AmountRow
        name={t('total')}
        count={formatInteger(statement.charges.calls)}
        amount={statement.charges.amount}
        statement={statement}
        strong
      />
    </Amounts>
  )
}

interface AmountsProps extends StatementProps {
  readonly title: string
  readonly name: string
  readonly children: ReactNode
}

function Amounts({ title, name, children }: AmountsProps) {
  const { t } = useTranslation('statement')
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="font-semibold text-sm">{title}</h3>
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr className="border-b text-left text-muted text-xs">
            <th className="py-1 pr-2 font-normal">{name}</th>
            <th className="px-2 py-1 text-right font-normal max-sm:hidden">{t('count')}</th>
            <th className="px-2 py-1 text-right font-normal">{t('amount')}</th>
            <th className="py-1 pl-2 text-right font-normal max-sm:hidden">{t('inUnits')}</th>
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

interface AmountRowProps extends StatementProps {
  readonly name: string
  readonly count?: string
  readonly amount: number
  readonly strong?: boolean
}

function AmountRow({ name, count = '', amount, strong = false, statement }: AmountRowProps) {
  const display = { quotaPerUnit: statement.quota_per_unit, inCurrency: true }
  return (
    <tr className={strong ? 'border-b font-semibold' : 'border-b'}>
      <th scope="row" className="break-words py-1.5 pr-2 text-left font-[inherit]">
        {name}
      </th>
      <td className="figures px-2 py-1.5 text-right text-muted max-sm:hidden">{count}</td>
      <td className="figures whitespace-nowrap px-2 py-1.5 text-right">
        {quotaToCurrency(amount, display, 6)}
      </td>
      <td className="figures whitespace-nowrap py-1.5 pl-2 text-right text-muted max-sm:hidden">
        {amount < 0 ? '-' : ''}
        {formatInteger(Math.abs(amount))}
      </td>
    </tr>
  )
}
