import { Link } from '@tanstack/react-router'
import { ExternalLink, LogIn, Menu as MenuIcon, Search } from 'lucide-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { canRegister, useStatus } from '../../lib/api/status.ts'
import { cx } from '../../lib/cx.ts'
import { lazyComponent } from '../../lib/lazy-component.ts'
import { useUser } from '../../lib/session/session.ts'
import { IconButton } from '../ui/button.tsx'
import { KeyCaps } from '../ui/kbd.tsx'
import { LinkButton } from '../ui/link-button.tsx'
import { Logo } from './logo.tsx'
import { NewYear } from './new-year-day.tsx'
import { LanguageMenu, ThemeMenu } from './preference-menus.tsx'
import { useIsConsole } from './use-side-menu.ts'

const UserMenu = lazyComponent(() => import('./user-menu.tsx'), 'UserMenu')
const PhoneMenu = lazyComponent(() => import('./phone-menu.tsx'), 'PhoneMenu')

const barLink =
  'inline-flex h-8 items-center gap-1 rounded px-2.5 text-muted text-sm transition-colors hover:bg-hover hover:text-text aria-[current=page]:text-text'

/** The bar over public pages; on a phone, over every page. */
export function TopBar({ onOpenPalette }: { readonly onOpenPalette: () => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const { docs_link: docsLink, enable_status_page: hasStatusPage } = useStatus() ?? {}
  const [menuOpen, setMenuOpen] = useState(false)
  return (
    <header
      className={cx(
        'sticky top-0 z-20 flex h-top-bar shrink-0 items-center gap-2 border-b bg-surface pr-3 pl-4 max-sm:pr-1',
        useIsConsole() && 'sm:hidden',
      )}
    >
      <Link to="/" className="mr-2 min-w-0 rounded-sm max-sm:mr-auto">
        <Logo />
        <span className="sr-only">{t('nav.home')}</span>
      </Link>
      <nav aria-label={t('nav.main')} className="flex items-center max-sm:hidden">
        <Link to="/" className={barLink} activeOptions={{ exact: true }}>
          {t('nav.home')}
        </Link>
        <Link to="/detail" className={barLink}>
          {t('nav.console')}
        </Link>
        <Link to="/pricing" className={barLink}>
          {t('nav.pricing')}
        </Link>
        {hasStatusPage && (
          <Link to="/status" className={barLink}>
            {t('nav.status')}
          </Link>
        )}
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
        <NewYear />
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
          {user ? (
            <Suspense fallback={<UserRoom name={user.display_name || user.username} />}>
              <UserMenu nameClass={userName} />
            </Suspense>
          ) : (
            <GuestLinks />
          )}
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

const userName = 'max-w-32 max-md:sr-only'

/** Reserves the width of the menu that is still loading, so that what stands beside it does not move. */
function UserRoom({ name }: { readonly name: string }) {
  return (
    <span aria-hidden className="invisible flex h-8 items-center gap-2 px-1 text-sm">
      <span className="size-6" />
      <span className={cx('truncate', userName)}>{name}</span>
    </span>
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
