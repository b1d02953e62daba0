import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import {
  ExternalLink,
  Languages,
  LogIn,
  LogOut,
  Menu as MenuIcon,
  Moon,
  Search,
  Sun,
  UserRound,
} from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../../i18n/index.ts'
import { canRegister, useLogo, useStatus, useSystemName } from '../../lib/api/status.ts'
import { setTheme, useTheme } from '../../lib/browser/theme.ts'
import { cx } from '../../lib/cx.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { isAdmin, isRoot, useUser } from '../../lib/session/session.ts'
import { IconButton } from '../ui/button.tsx'
import { KeyCaps } from '../ui/kbd.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Menu, menuChoice } from '../ui/overlay/menu.tsx'
import { Tag } from '../ui/tag.tsx'
import { Avatar } from './avatar.tsx'
import { languageChoices, useThemeChoices } from './preference-choices.ts'
import { useLogout } from './use-logout.ts'

const PhoneMenu = lazyComponent(() => import('./phone-menu.tsx'), 'PhoneMenu')

const NewYearButton = lazyComponent(() => import('./new-year.tsx'), 'NewYearButton')

const barLink =
  'inline-flex h-8 items-center gap-1 rounded px-2.5 text-muted text-sm transition-colors hover:bg-hover hover:text-text aria-[current=page]:text-text'

/** The bar over every page. */
export function TopBar({ onOpenPalette }: { readonly onOpenPalette: () => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const docsLink = useStatus()?.docs_link
  const [menuOpen, setMenuOpen] = useState(false)
  return (
    <header className="sticky top-0 z-20 flex h-top-bar shrink-0 items-center gap-2 border-b bg-surface pr-3 pl-4 max-sm:pr-1">
      <Link to="/" className="mr-2 min-w-0 rounded-sm max-sm:mr-auto">
        <Logo />
        <span className="sr-only">{t('nav.home')}</span>
      </Link>
      <nav aria-label={t('nav.main')} className="flex items-center max-sm:hidden">
        <Link to="/" className={barLink} activeOptions={{ exact: true }}>
          {t('nav.home')}
        </Link>
        <ConsoleLink />
        <Link to="/pricing" className={barLink}>
          {t('nav.pricing')}
        </Link>
        {docsLink && (
          <a href={docsLink} target="_blank" rel="noreferrer" className={barLink}>
            {t('nav.docs')}
            <ExternalLink className="size-3" aria-hidden />
          </a>
        )}
        <Link to="/about" className={barLink}>
          {t('nav.about')}
        </Link>
      </nav>
      <div className="ml-auto flex items-center gap-1 max-sm:ml-0">
        <Suspense>{isNewYearsDay(new Date()) && <NewYearButton />}</Suspense>
        <button
          type="button"
          onClick={onOpenPalette}
          className="mr-1 flex h-8 items-center gap-2 rounded border bg-sunken pr-1.5 pl-2.5 text-faint text-sm transition-colors hover:border-line-strong hover:text-muted max-md:hidden"
        >
          <Search className="size-3.5" aria-hidden />
          <span className="pr-6">{t('palette.open')}</span>
          <KeyCaps keys="mod+k" />
        </button>
        <IconButton
          icon={Search}
          label={t('palette.open')}
          onClick={onOpenPalette}
          className="md:hidden"
          tooltip={false}
        />
        <span className="flex items-center gap-1 max-sm:hidden">
          <ThemeMenu />
          <LanguageMenu />
          {user ? <UserMenu /> : <GuestLinks />}
        </span>
        <IconButton
          icon={MenuIcon}
          label={t('nav.openMenu')}
          tooltip={false}
          className="sm:hidden"
          aria-expanded={menuOpen}
          onClick={() => setMenuOpen(true)}
        />
      </div>
      <Suspense>{menuOpen && <PhoneMenu onClose={() => setMenuOpen(false)} />}</Suspense>
    </header>
  )
}

/** Leads to the dashboard, and is marked on every page of the console. */
function ConsoleLink() {
  const { t } = useTranslation()
  const inside = useRouterState({
    select: ({ matches }) => matches.some(({ routeId }) => routeId === '/console'),
  })
  return (
    <Link to="/detail" className={cx(barLink, inside && 'text-text!')}>
      {t('nav.console')}
    </Link>
  )
}

function GuestLinks() {
  const { t } = useTranslation()
  const status = useStatus()
  return (
    <>
      {canRegister(status) && (
        <Link to="/register" className={barLink}>
          {t('nav.register')}
        </Link>
      )}
      <LinkButton to="/login" variant="primary" icon={LogIn} className="ml-1">
        {t('nav.login')}
      </LinkButton>
    </>
  )
}

function ThemeMenu() {
  const { t } = useTranslation()
  const { choice, resolved } = useTheme()
  const choices = useThemeChoices()
  return (
    <Menu
      trigger={
        <IconButton icon={resolved === 'dark' ? Moon : Sun} label={t('theme.label')} tooltip={false} />
      }
      items={[menuChoice({ label: t('theme.label'), value: choice, options: choices, choose: setTheme })]}
    />
  )
}

function LanguageMenu() {
  const { t } = useTranslation()
  return (
    <Menu
      trigger={<IconButton icon={Languages} label={t('language.label')} tooltip={false} />}
      items={[
        menuChoice({
          label: t('language.label'),
          value: currentLanguage(),
          options: languageChoices,
          choose: (language) => void setLanguage(language),
        }),
      ]}
    />
  )
}

function UserMenu() {
  const { t } = useTranslation()
  const user = useUser()
  const logout = useLogout()
  const navigate = useNavigate()
  if (!user) return null
  const name = user.display_name || user.username
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="ml-1 flex h-8 items-center gap-2 rounded pr-2 pl-1 text-sm transition-colors hover:bg-hover data-popup-open:bg-hover"
        >
          <Avatar name={name} />
          <span className="max-w-32 truncate max-md:sr-only">{name}</span>
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
        { kind: 'action', icon: LogOut, label: t('user.logout'), run: logout },
      ]}
    />
  )
}

/** The installation's logo and name, with its mode. */
function Logo({ className }: { readonly className?: string }) {
  const { t } = useTranslation()
  const status = useStatus()
  const name = useSystemName()
  const logo = useLogo()
  return (
    <span className={cx('flex min-w-0 items-center gap-2', className)}>
      <img src={logo} alt="" className="size-6 shrink-0 rounded-[5px] object-contain" />
      <span className="truncate font-semibold text-base tracking-tight">{name}</span>
      {status?.self_use_mode_enabled && (
        <Tag tone="accent" className="max-sm:hidden">
          {t('badge.selfUse')}
        </Tag>
      )}
      {status?.demo_site_enabled && <Tag tone="info">{t('badge.demo')}</Tag>}
    </span>
  )
}

/** Whether it is the first day of the year where the person is. */
function isNewYearsDay(now: Date): boolean {
  return now.getMonth() === 0 && now.getDate() === 1
}
