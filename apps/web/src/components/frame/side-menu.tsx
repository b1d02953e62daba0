import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { cx } from '../../lib/cx.ts'
import { useLocal, writeLocal } from '../../lib/local-store.ts'
import { useMediaQuery } from '../../lib/use-phone.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { ChatMenu } from './chat-menu.tsx'
import { type NavEntry, useNav } from './nav.ts'

/** Windows whose width belongs to the page: the menu is a rail of icons there. */
const railWindow = '(width < 1024px)'

/** The console's pages, at the left; icons only when collapsed. Hidden on phones. */
export function SideMenu() {
  const { t } = useTranslation()
  const chosen = useLocal('default_collapse_sidebar') === 'true'
  const narrow = useMediaQuery(railWindow)
  const collapsed = chosen || narrow
  const Toggle = collapsed ? PanelLeftOpen : PanelLeftClose
  return (
    <aside
      className={cx(
        'flex shrink-0 flex-col border-r bg-surface transition-[width] duration-150 max-sm:hidden',
        collapsed ? 'w-13' : 'w-52',
      )}
    >
      <nav
        aria-label={t('nav.pages')}
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overflow-x-hidden p-2 pt-3"
      >
        {useNav().map((group) => (
          <div key={group.label ?? 'top'} className="flex flex-col gap-0.5">
            {group.label && (
              <p className={cx('px-2 pb-1 font-medium text-2xs text-faint', collapsed && 'sr-only')}>
                {t(`nav.${group.label}`)}
              </p>
            )}
            {group.entries.map((entry) => (
              <SideLink key={entry.label} entry={entry} collapsed={collapsed} />
            ))}
            {!group.label && <ChatMenu collapsed={collapsed} />}
          </div>
        ))}
      </nav>
      {!narrow && (
        <button
          type="button"
          aria-expanded={!collapsed}
          onClick={() => writeLocal('default_collapse_sidebar', String(!collapsed))}
          className="m-2 flex h-8 items-center gap-2.5 rounded px-2.5 text-faint text-xs transition-colors hover:bg-hover hover:text-text"
        >
          <Toggle className="size-4 shrink-0" aria-hidden />
          <span className={cx('truncate', collapsed && 'sr-only')}>
            {t(collapsed ? 'nav.expand' : 'nav.collapse')}
          </span>
        </button>
      )}
    </aside>
  )
}

function SideLink({ entry, collapsed }: { readonly entry: NavEntry; readonly collapsed: boolean }) {
  const { t } = useTranslation()
  const { icon: Icon } = entry
  const link = (
    <Link
      to={entry.to}
      {...(entry.search && { search: entry.search })}
      className="flex h-8 items-center gap-2.5 rounded px-2.5 text-muted text-sm transition-colors hover:bg-hover hover:text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      <span className={cx('truncate', collapsed && 'sr-only')}>{t(`nav.${entry.label}`)}</span>
    </Link>
  )
  return collapsed ? (
    <Tooltip text={t(`nav.${entry.label}`)} side="right">
      {link}
    </Tooltip>
  ) : (
    link
  )
}
