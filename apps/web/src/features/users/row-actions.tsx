import { useNavigate } from '@tanstack/react-router'
import { type ListedUser, roles } from '@tollgate/api'
import {
  ChevronsDown,
  ChevronsUp,
  Ellipsis,
  History,
  Pencil,
  Power,
  PowerOff,
  ScrollText,
  ShieldOff,
  UserRoundX,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../../components/ui/button.tsx'
import { Menu } from '../../components/ui/menu.tsx'
import type { MenuItems } from '../../components/ui/menu-items.ts'
import { Money } from '../../components/ui/money.tsx'
import { cx } from '../../lib/cx.ts'
import { usePhone } from '../../lib/media-query.ts'
import { useUser } from '../../lib/session.ts'
import { useManageUser, useResetSecondFactor } from './use-user-actions.ts'
import { canEnable, mayEdit, mayManage, mayPromote, stateOf } from './user-state.ts'

interface RowActionsProps {
  readonly user: ListedUser
}

/** What may be done to one user: nothing to a deleted one, and nothing that the server forbids. */
export function RowActions({ user }: RowActionsProps) {
  const phone = usePhone()
  const living = stateOf(user) !== 'deleted' && <LivingUserActions user={user} />
  if (!phone) return living
  return (
    <span className="flex min-h-10 min-w-0 flex-1 items-center justify-between gap-2">
      <PhoneFacts user={user} />
      {living}
    </span>
  )
}

/** On a card, beside the buttons: what they have and spent. */
function PhoneFacts({ user: { quota, used_quota: used } }: RowActionsProps) {
  const { t } = useTranslation('users')
  return (
    <span className="flex min-w-0 items-baseline gap-3">
      <span className="sr-only">{t('column.balance')}</span>
      <Money quota={quota} single className={cx('font-semibold text-base', quota < 0 && 'text-bad')} />
      <span className="truncate text-muted text-xs">
        {t('column.used')} <Money quota={used} single />
      </span>
    </span>
  )
}

function LivingUserActions({ user }: RowActionsProps) {
  const { t } = useTranslation('users')
  const actor = useUser()
  const manage = useManageUser(user)
  const name = user.username
  const active = stateOf(user) === 'active'
  return (
    <span className="inline-flex items-center gap-0.5">
      {mayManage(actor, user) && (
        <IconButton
          icon={active ? PowerOff : Power}
          size="sm"
          label={t(active ? 'action.disable' : 'action.enable', { name })}
          disabled={!active && !canEnable(user)}
          loading={manage.pending}
          onClick={() => manage.start(active ? 'disable' : 'enable')}
        />
      )}
      <Menu
        trigger={<IconButton icon={Ellipsis} size="sm" label={t('action.more', { name })} tooltip={false} />}
        items={useMenuItems(user, manage)}
      />
    </span>
  )
}

function useMenuItems(user: ListedUser, manage: ReturnType<typeof useManageUser>): MenuItems {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const actor = useUser()
  const resetSecondFactor = useResetSecondFactor(user)
  const common = user.role === roles.common
  return [
    mayEdit(actor, user) && {
      kind: 'action',
      icon: Pencil,
      label: t('action.edit'),
      run: () => void navigate({ to: '/user/edit/$id', params: { id: String(user.id) }, search: true }),
    },
    {
      kind: 'action',
      icon: ScrollText,
      label: t('action.usage'),
      run: () => void navigate({ to: '/log', search: { user: user.username, range: '30d' } }),
    },
    {
      kind: 'action',
      icon: History,
      label: t('action.audit'),
      run: () => void navigate({ to: '/audit', search: { kind: 'user', target: user.id } }),
    },
    mayPromote(actor, user) && {
      kind: 'action',
      icon: common ? ChevronsUp : ChevronsDown,
      label: t(common ? 'action.promote' : 'action.demote'),
      run: () => manage.start(common ? 'promote' : 'demote'),
    },
    ...(mayManage(actor, user)
      ? ([
          { kind: 'separator' },
          {
            kind: 'action',
            icon: ShieldOff,
            label: t('action.resetSecondFactor'),
            run: () => void resetSecondFactor(),
          },
          {
            kind: 'action',
            icon: UserRoundX,
            label: t('action.delete'),
            danger: true,
            run: () => manage.start('delete'),
          },
        ] as const)
      : []),
  ]
}
