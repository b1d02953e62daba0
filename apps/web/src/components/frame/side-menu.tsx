import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { ChevronDown, MessageCircle, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react'
import { type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocal, writeLocal } from '../../lib/browser/local-store.ts'
import { useMediaQuery } from '../../lib/browser/media-query.ts'
import { cx } from '../../lib/cx.ts'
import { IconButton } from '../ui/button.tsx'
import { KeyCaps } from '../ui/kbd.tsx'
import { Menu } from '../ui/overlay/menu.tsx'
import { Tooltip } from '../ui/overlay/tooltip.tsx'
import { Logo, LogoPicture } from './logo.tsx'
import { type NavEntry, useChatEntries, useNav } from './nav.ts'
import { NewYear } from './new-year-day.tsx'
import { OpenPalette } from './open-palette.ts'
import { LanguageMenu, ThemeMenu } from './preference-menus.tsx'
import { UserMenu } from './user-menu.tsx'

/** Windows whose width belongs to the page: the menu is a rail of icons there. */
const railWindow = '(width < 1024px)'

export interface SideMenuProps {
  /** The bar above has logo, search and account. */
  readonly underTopBar?: boolean
}

/** The console's pages at the left, with search and account; icons only when collapsed. Hidden on phones. */
export function SideMenu({ underTopBar = false }: SideMenuProps) {
  const { t } = useTranslation()
  const chosen = useLocal('default_collapse_sidebar') === 'true'
  const narrow = useMediaQuery(railWindow)
  const collapsed = chosen || narrow
  const pages = useEntryInView()
  return (
    <aside
      className={cx(
        'flex shrink-0 flex-col border-r bg-surface transition-[width] duration-150 max-sm:hidden',
        collapsed ? 'w-13' : 'w-52',
      )}
    >
      <MenuHead collapsed={collapsed} narrow={narrow} underTopBar={underTopBar} />
      <nav
        ref={pages}
        aria-label={t('nav.pages')}
        className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overflow-x-hidden p-2"
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
      {!underTopBar && <MenuFoot collapsed={collapsed} />}
    </aside>
  )
}

/** Returns the ref of a menu that may be longer than the window: the entry of the open page stays in view. */
function useEntryInView() {
  const menu = useRef<HTMLElement>(null)
  const page = useLocation({ select: ({ pathname }) => pathname })
  useEffect(() => {
    // Within a frame, which is laid out anyway.
    const frame = requestAnimationFrame(() => {
      if (page) menu.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [page])
  return menu
}

function MenuFoot({ collapsed }: { readonly collapsed: boolean }) {
  return (
    <div className={cx('flex items-center gap-0.5 border-t p-2', collapsed && 'flex-col')}>
      <span className={cx('flex min-w-0', !collapsed && 'flex-1')}>
        <UserMenu nameClass={collapsed ? 'sr-only' : ''} />
      </span>
      <ThemeMenu />
      <LanguageMenu />
    </div>
  )
}

interface MenuHeadProps extends Required<SideMenuProps> {
  readonly collapsed: boolean
  /** The window leaves no choice. */
  readonly narrow: boolean
}

/** Shows the name of the installation, and the search over all of it; under a top bar only the way to fold the menu. */
function MenuHead({ collapsed, narrow, underTopBar }: MenuHeadProps) {
  const { t } = useTranslation()
  const openPalette = useContext(OpenPalette)
  const fold = !narrow && (
    <IconButton
      icon={collapsed ? PanelLeftOpen : PanelLeftClose}
      label={t(collapsed ? 'nav.expand' : 'nav.collapse')}
      aria-expanded={!collapsed}
      onClick={() => writeLocal('default_collapse_sidebar', String(!collapsed))}
    />
  )
  if (underTopBar)
    return (
      fold && <div className={cx('flex p-2 pb-0', collapsed ? 'justify-center' : 'justify-end')}>{fold}</div>
    )
  return (
    <div className="flex shrink-0 flex-col gap-2 p-2 pb-1">
      <span className={cx('flex items-center justify-between gap-1', collapsed && 'flex-col')}>
        <Link to="/" className="flex h-8 min-w-0 items-center rounded-sm px-1.5">
          {collapsed ? <LogoPicture /> : <Logo />}
          <span className="sr-only">{t('nav.home')}</span>
        </Link>
        <NewYear />
        {fold}
      </span>
      {collapsed ? (
        <IconButton icon={Search} label={t('palette.open')} onClick={openPalette} className="w-full" />
      ) : (
        <button
          type="button"
          onClick={openPalette}
          className="flex h-8 items-center gap-2 rounded border bg-sunken pr-1.5 pl-2.5 text-faint text-sm transition-colors hover:border-line-strong hover:text-muted"
        >
          <Search className="size-3.5" aria-hidden />
          <span className="flex-1 truncate text-left">{t('palette.open')}</span>
          <KeyCaps keys="mod+k" />
        </button>
      )}
    </div>
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

/** The operator's chat clients: folded under one entry, a menu beside the rail. */
function ChatMenu({ collapsed }: { readonly collapsed: boolean }): ReactNode {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const entries = useChatEntries()
  const [open, setOpen] = useState(false)
  if (entries.length === 0) return null
  if (collapsed) {
    return (
      <Menu
        align="start"
        trigger={<IconButton icon={MessageCircle} label={t('nav.chat')} className="w-full" tooltip={false} />}
        items={entries.map(({ id, name }) => ({
          kind: 'action' as const,
          label: name,
          run: () => void navigate({ to: '/chat/$id', params: { id } }),
        }))}
      />
    )
  }
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
        className="flex h-8 items-center gap-2.5 rounded px-2.5 text-muted text-sm transition-colors hover:bg-hover hover:text-text"
      >
        <MessageCircle className="size-4 shrink-0" aria-hidden />
        <span className="flex-1 truncate text-left">{t('nav.chat')}</span>
        <ChevronDown className={cx('size-3.5 transition-transform', !open && '-rotate-90')} aria-hidden />
      </button>
      {open &&
        entries.map(({ id, name }) => (
          <Link
            key={id}
            to="/chat/$id"
            params={{ id }}
            className="flex h-8 items-center rounded pr-2.5 pl-9 text-muted text-sm transition-colors hover:bg-hover hover:text-text"
          >
            <span className="truncate">{name}</span>
          </Link>
        ))}
    </>
  )
}
