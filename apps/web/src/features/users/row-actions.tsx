import { useNavigate } from '@tanstack/react-router'
import { type ListedUser, roles } from '@tollgate/api'
import {
  ChevronsDown,
  ChevronsUp,
  Crown,
  Download,
  Eye,
  History,
  Pencil,
  ScrollText,
  ShieldAlert,
  ShieldOff,
  UserRoundX,
} from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { RowControls } from '../../components/list/index.ts'
import { Money } from '../../components/ui/money.tsx'
import type { MenuItems } from '../../components/ui/overlay/menu-items.ts'
import { cx } from '../../lib/cx.ts'
import { isRoot, useUser } from '../../lib/session/session.ts'
import { useExport } from './access/use-export.ts'
import { usePassRoot } from './access/use-pass-root.ts'
import { useSeeAs } from './access/use-see-as.ts'
import { useManageUser, useResetSecondFactor } from './use-user-actions.ts'
import { canEnable, mayEdit, mayManage, mayPromote, stateOf } from './user-state.ts'

interface RowActionsProps {
  readonly user: ListedUser
}

/** Shows the actions on one user: none on a deleted one, and none that the server forbids. */
export function RowActions({ user }: RowActionsProps) {
  const { t } = useTranslation('users')
  const actor = useUser()
  const manage = useManageUser(user)
  const items = useMenuItems(user, manage)
  const { username: name } = user
  const state = stateOf(user)
  const enabled = state === 'active'
  const onOff = {
    enabled,
    label: t(enabled ? 'action.disable' : 'action.enable', { name }),
    disabled: !enabled && !canEnable(user),
    busy: manage.pending,
    press: () => manage.start(enabled ? 'disable' : 'enable'),
  }
  return (
    <RowControls
      onCard={<PhoneFacts user={user} />}
      onOff={mayManage(actor, user) ? onOff : undefined}
      more={t('action.more', { name })}
      items={state === 'deleted' ? [] : items}
    />
  )
}

/** Shows on a card, beside the buttons, their balance and spending. */
function PhoneFacts({ user: { quota, used_quota: used } }: RowActionsProps) {
  const { t } = useTranslation('users')
  return (
    <span className="flex min-w-0 items-baseline gap-3">
      <span className="sr-only">{t('column.quota')}</span>
      <Money quota={quota} single className={cx('font-semibold text-base', quota < 0 && 'text-bad')} />
      <span className="truncate text-muted text-xs">
        {t('column.used_quota')} <Money quota={used} single />
      </span>
    </span>
  )
}

function useMenuItems(user: ListedUser, manage: ReturnType<typeof useManageUser>): MenuItems {
  const { t } = useTranslation('users')
  const navigate = useNavigate()
  const actor = useUser()
  const resetSecondFactor = useResetSecondFactor(user)
  const passRoot = usePassRoot(user)
  const exporting = useExport(user)
  const seeAs = useSeeAs(user)
  const common = user.role === roles.common
  return [
    mayEdit(actor, user) && {
      kind: 'action',
      icon: Pencil,
      label: t('action.edit'),
      run: () => void navigate({ to: '/user/edit/$id', params: { id: String(user.id) }, search: true }),
    },
    mayManage(actor, user) &&
      stateOf(user) === 'active' && {
        kind: 'action',
        icon: Eye,
        label: t('action.seeAs'),
        run: seeAs,
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
    {
      kind: 'action',
      icon: Download,
      label: t('action.export'),
      run: exporting.run,
    },
    isRoot(actor) && {
      kind: 'action',
      icon: ShieldAlert,
      label: t('action.security'),
      run: () => void navigate({ to: '/security', search: { user: user.username } }),
    },
    mayPromote(actor, user) && {
      kind: 'action',
      icon: common ? ChevronsUp : ChevronsDown,
      label: t(common ? 'action.promote' : 'action.demote'),
      run: () => manage.start(common ? 'promote' : 'demote'),
    },
    mayPromote(actor, user) &&
      !common && {
        kind: 'action',
        icon: Crown,
        label: t('action.passRoot'),
        run: passRoot,
      },
    ...(mayManage(actor, user)
      ? ([
          { kind: 'separator' },
          {
            kind: 'action',
            icon: ShieldOff,
            label: t('action.resetSecondFactor'),
            run: resetSecondFactor,
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
