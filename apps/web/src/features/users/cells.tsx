import type { ListedUser } from '@tollgate/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { StatusDot, Tag } from '../../components/ui/tag.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { roleNameOf, stateOf, toneOf } from './user-state.ts'

interface CellProps {
  readonly user: ListedUser
}

/** The username, and what they are called where that is another name. */
export function NameCell({ user: { username, display_name: displayName } }: CellProps) {
  return (
    <span className="block max-w-64 truncate max-sm:max-w-full" title={username}>
      {username}
      {displayName !== '' && displayName !== username && (
        <span className="ml-1 font-normal text-muted"> {displayName}</span>
      )}
    </span>
  )
}

export function StateCell({ user }: CellProps) {
  const { t } = useTranslation('users')
  const state = stateOf(user)
  return <StatusDot tone={toneOf(state)}>{t(`state.${state}`)}</StatusDot>
}

/** Rank in words; administrators have the accent, which does not mark a state. */
export function RoleCell({ user: { role } }: CellProps) {
  const { t } = useTranslation('users')
  const name = roleNameOf(role)
  if (name === 'common') return <span className="text-muted">{t('role.common')}</span>
  return <Tag tone={name === 'unknown' ? 'neutral' : 'accent'}>{t(`role.${name}`)}</Tag>
}

/** When they logged in last. */
export function LastLoginCell({ user: { last_login_at: at } }: CellProps) {
  const { t } = useTranslation('users')
  if (at === 0) return <span className="text-muted">{t('never')}</span>
  return <RelativeTime at={at} />
}

/** Shows the number of users they invited, and their earnings from it. */
export function InvitedCell({ user }: CellProps) {
  if (user.aff_count === 0) return <span className="text-muted">0</span>
  return (
    <span className="whitespace-nowrap">
      {formatInteger(user.aff_count)}{' '}
      <Money quota={user.aff_history_quota} single className="ml-0.5 text-muted text-xs" />
    </span>
  )
}
