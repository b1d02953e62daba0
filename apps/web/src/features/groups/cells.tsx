import { Link } from '@tanstack/react-router'
import type { GroupRow, GroupUsage } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { NoValue, Tag } from '../../components/ui/tag.tsx'
import { figures } from '../../lib/figures/figures.ts'
import { formatInteger } from '../../lib/format/format.ts'

interface CellProps {
  readonly row: GroupRow
}

/** Shows the name, and whether calls in the group have a price. */
export function NameCell({ row: { name, has_ratio: hasRatio } }: CellProps) {
  const { t } = useTranslation('groups')
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="truncate font-mono text-xs" title={name}>
        {name}
      </span>
      {!hasRatio && <Tag tone="warn">{t('noRatio')}</Tag>}
    </span>
  )
}

/** Shows who may choose the group, and the text that they see. */
export function OpenCell({ row: { is_open: isOpen, description = '' } }: CellProps) {
  const { t } = useTranslation('groups')
  if (!isOpen) return <span className="text-muted">{t('open.members')}</span>
  return (
    <span className="block truncate" title={description}>
      {t('open.everybody')}
      {description !== '' && <span className="ml-1.5 text-muted">{description}</span>}
    </span>
  )
}

/** Shows the limits in short, those of each user first. */
export function LimitsCell({ row }: CellProps) {
  const { t } = useTranslation('groups')
  const parts = useLimitTexts(row)
  if (parts.length === 0) return <span className="text-muted">{t('limits.none')}</span>
  return (
    <span className="block truncate" title={parts.join(' · ')}>
      {parts.join(' · ')}
    </span>
  )
}

function useLimitTexts({ user_limits: ofUser, ...row }: GroupRow): readonly string[] {
  const { t } = useTranslation('groups')
  return [
    ...(ofUser
      ? [t('limits.ofUser', { count: ofUser.successes, limit: formatInteger(ofUser.successes) })]
      : []),
    ...(['requests_per_minute', 'tokens_per_minute', 'concurrency'] as const).flatMap((name) => {
      const limit = row[name] ?? 0
      return limit > 0 ? [t(`limits.${name}`, { limit: formatInteger(limit) })] : []
    }),
  ]
}

interface CountLinkProps {
  readonly group: string
  readonly count: number
  readonly of: 'users' | 'channels'
}

/** Shows a count that leads to the list of what it counts. */
export function CountLink({ group, count, of }: CountLinkProps) {
  if (count === 0) return <span className="figures text-muted">0</span>
  const look = { className: 'figures hover:underline', children: formatInteger(count) }
  // The type of that search names no declared filter.
  const narrowed: object = { group }
  if (of === 'users') return <Link {...look} to="/user" search={{ ...narrowed }} />
  return <Link {...look} to="/channel" search={{ group }} />
}

/** Shows the charged calls of a group, which lead to their rows in the log. */
export function CallsLink({ usage }: { readonly usage: GroupUsage | undefined }) {
  if (usage === undefined) return <CountCell count={0} />
  const { value, link } = figures.callsOfGroup.of(usage, [usage])
  return (
    <Link to="/log" search={link ?? {}} className="figures hover:underline">
      {formatInteger(value)}
    </Link>
  )
}

/** Shows a count without a list of its own. */
export function CountCell({ count }: { readonly count: number | undefined }) {
  if (count === undefined) return <NoValue />
  return <span className={count === 0 ? 'figures text-muted' : 'figures'}>{formatInteger(count)}</span>
}
