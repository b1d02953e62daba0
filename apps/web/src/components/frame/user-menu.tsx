import { useNavigate } from '@tanstack/react-router'
import { BookOpen, House, Info, LogOut, UserRound } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import { isAdmin, isRoot, useUser } from '../../lib/session/session.ts'
import { Menu } from '../ui/overlay/menu.tsx'
import type { MenuItems } from '../ui/overlay/menu-items.ts'
import { Avatar } from './avatar.tsx'
import { useLogout } from './use-logout.ts'

/** Shows the logged-in user, the way to the pages of the site, and the way out. */
export function UserMenu({ nameClass }: { readonly nameClass: string }) {
  const { t } = useTranslation()
  const user = useUser()
  const logout = useLogout()
  const navigate = useNavigate()
  const site = useSitePages()
  if (!user) return null
  const name = user.display_name || user.username
  return (
    <Menu
      trigger={
        <button
          type="button"
          title={name}
          className="flex h-8 min-w-0 items-center gap-2 rounded px-1 text-sm transition-colors hover:bg-hover data-popup-open:bg-hover"
        >
          <Avatar name={name} />
          <span className={cx('min-w-0 truncate', nameClass)}>{name}</span>
          <span className="sr-only">{t('user.menu')}</span>
        </button>
      }
      items={[
        {
          kind: 'heading',
          label: (
            <>
              <span className="block font-medium text-sm text-text">{name}</span>
              {user.username} · {t(isRoot(user) ? 'user.root' : isAdmin(user) ? 'user.admin' : 'user.common')}
            </>
          ),
        },
        { kind: 'separator' },
        {
          kind: 'action',
          icon: UserRound,
          label: t('nav.personalSettings'),
          run: () => void navigate({ to: '/personal' }),
        },
        { kind: 'separator' },
        ...site,
        { kind: 'separator' },
        { kind: 'action', icon: LogOut, label: t('user.logout'), run: logout },
      ]}
    />
  )
}

/** The pages that visitors have in their top bar. */
function useSitePages(): MenuItems {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const docs = useStatus()?.docs_link
  return [
    {
      kind: 'action',
      icon: House,
      label: t('nav.siteHome'),
      run: () => void navigate({ to: '/' }),
    },
    docs !== undefined &&
      docs !== '' && {
        kind: 'action',
        icon: BookOpen,
        label: t('nav.docs'),
        run: () => void window.open(docs, '_blank', 'noreferrer'),
      },
    { kind: 'action', icon: Info, label: t('nav.about'), run: () => void navigate({ to: '/about' }) },
  ]
}
