import { Link } from '@tanstack/react-router'
import type { ListedUser } from '@tollgate/api'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { KeyValue } from '../../components/ui/card.tsx'
import { Money } from '../../components/ui/money.tsx'
import { RelativeTime } from '../../components/ui/relative-time.tsx'
import { formatInteger } from '../../lib/format/format.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { InvitedCell, LastLoginCell, RoleCell, StateCell } from './cells.tsx'

const RecentMargin = lazyComponent(() => import('../../components/margin/recent-margin.tsx'), 'RecentMargin')

interface UserPartProps {
  readonly user: ListedUser
}

/** Shows facts about them that are changed elsewhere. */
export function UserFacts({ user }: UserPartProps) {
  const { t } = useTranslation('users')
  return (
    <KeyValue
      className="rounded border bg-sunken px-3 py-2.5"
      items={[
        { label: t('column.id'), value: <span className="figures">{user.id}</span> },
        { label: t('column.status'), value: <StateCell user={user} /> },
        { label: t('column.role'), value: <RoleCell user={user} /> },
        { label: t('column.used_quota'), value: <Money quota={user.used_quota} /> },
        {
          label: t('fact.margin'),
          value: (
            <Suspense fallback={<span className="text-muted">…</span>}>
              <RecentMargin of={{ by: 'user', id: user.id }} />
            </Suspense>
          ),
        },
        {
          label: t('column.request_count'),
          value: <span className="figures">{formatInteger(user.request_count)}</span>,
        },
        { label: t('column.created_at'), value: <RelativeTime at={user.created_at} day /> },
        { label: t('column.last_login_at'), value: <LastLoginCell user={user} /> },
        { label: t('column.invited'), value: <InvitedCell user={user} /> },
        {
          label: t('fact.inviter'),
          value: user.inviter_id === 0 ? <None text={t('fact.none')} /> : <Inviter user={user} />,
        },
      ]}
    />
  )
}

/** The user's name; the number once the record is deleted. */
function Inviter({ user: { inviter_id: id, inviter_name: name } }: UserPartProps) {
  return (
    <Link
      to="/user/edit/$id"
      params={{ id: String(id) }}
      search={true}
      className="wrap-anywhere text-accent-text hover:underline"
    >
      {name || `#${id}`}
    </Link>
  )
}

/** Ways to sign in beside the password; only their owner binds and unbinds them. */
export function Bindings({ user }: UserPartProps) {
  const { t } = useTranslation('users')
  const bindings = [
    [t('binding.email'), user.email],
    ['GitHub', user.github_id],
    ['OIDC', user.oidc_id],
    [t('binding.wechat'), user.wechat_id],
    ['Telegram', user.telegram_id],
    ['LINUX DO', user.linux_do_id],
  ] as const
  return (
    <section aria-label={t('binding.title')} className="border-t pt-4">
      <h3 className="font-semibold text-sm">{t('binding.title')}</h3>
      <p className="mt-0.5 mb-3 text-muted text-xs">{t('binding.hint')}</p>
      <KeyValue
        items={bindings.map(([label, value]) => ({
          label,
          value:
            value === '' ? <None text={t('binding.none')} /> : <span className="wrap-anywhere">{value}</span>,
        }))}
      />
    </section>
  )
}

function None({ text }: { readonly text: string }) {
  return <span className="text-muted">{text}</span>
}
