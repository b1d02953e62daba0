import { Dialog } from '@base-ui/react/dialog'
import { createLink } from '@tanstack/react-router'
import {
  Activity,
  BookOpen,
  House,
  Info,
  LogIn,
  LogOut,
  type LucideIcon,
  MessageCircle,
  Tags,
  UserPlus,
  X,
} from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../../i18n/index.ts'
import { canRegister, useStatus } from '../../lib/api/status.ts'
import { setTheme, useTheme } from '../../lib/browser/theme.ts'
import { cx } from '../../lib/cx.ts'
import { useUser } from '../../lib/session/session.ts'
import { IconButton } from '../ui/button.tsx'
import { Avatar } from './avatar.tsx'
import { useChatEntries, useNav } from './nav.ts'
import { languageChoices, useThemeChoices } from './preference-choices.ts'
import { useLogout } from './use-logout.ts'

const row =
  'flex min-h-11 w-full items-center gap-3 rounded px-3 text-left text-text aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text'

/** The whole menu as a sheet from the bottom, within reach of a thumb. Closes when a page is chosen. */
export function PhoneMenu({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog.Root open onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Dialog.Popup className="fixed inset-x-0 bottom-0 z-40 max-h-[88dvh] overflow-y-auto rounded-t-2xl border-t bg-surface px-3 pt-2 pb-[max(1rem,env(safe-area-inset-bottom))] text-sm outline-none transition-transform duration-150 data-ending-style:translate-y-full data-starting-style:translate-y-full">
          <div className="flex items-center justify-between pb-1 pl-3">
            <Dialog.Title className="font-semibold text-base">{t('nav.menu')}</Dialog.Title>
            <Dialog.Close render={<IconButton icon={X} label={t('action.close')} tooltip={false} />} />
          </div>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link arrives here as a click */}
          <nav aria-label={t('nav.pages')} onClick={onClose} className="flex flex-col">
            <Pages />
          </nav>
          <Preferences />
          <Account onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface RowFace {
  readonly icon: LucideIcon
  readonly children: ReactNode
}

function MenuAnchor({ icon: Icon, children, ...anchor }: Omit<ComponentProps<'a'>, 'children'> & RowFace) {
  return (
    <a {...anchor} className={row}>
      <Icon className="size-5 text-muted" aria-hidden />
      {children}
    </a>
  )
}

const MenuLink = createLink(MenuAnchor)

/** Every page that the person may open. */
function Pages() {
  const { t } = useTranslation()
  const user = useUser()
  const status = useStatus()
  const entries = useNav().flatMap((group) => group.entries)
  const chats = useChatEntries()
  return (
    <>
      {!user && <HomeLink />}
      {user &&
        entries.map(({ to, search, label, icon }) => (
          <MenuLink key={label} to={to} {...(search && { search })} icon={icon}>
            {t(`nav.${label}`)}
          </MenuLink>
        ))}
      {user &&
        chats.map(({ id, name }) => (
          <MenuLink key={id} to="/chat/$id" params={{ id }} icon={MessageCircle}>
            {name}
          </MenuLink>
        ))}
      {user && <HomeLink />}
      {!user && (
        <MenuLink to="/pricing" icon={Tags}>
          {t('nav.pricing')}
        </MenuLink>
      )}
      {!user && status?.enable_status_page && (
        <MenuLink to="/status" icon={Activity}>
          {t('nav.status')}
        </MenuLink>
      )}
      {status?.docs_link && (
        <MenuAnchor href={status.docs_link} target="_blank" rel="noreferrer" icon={BookOpen}>
          {t('nav.docs')}
        </MenuAnchor>
      )}
      <MenuLink to="/about" icon={Info}>
        {t('nav.about')}
      </MenuLink>
      {!user && canRegister(status) && (
        <MenuLink to="/register" icon={UserPlus}>
          {t('nav.register')}
        </MenuLink>
      )}
      {!user && (
        <MenuLink to="/login" icon={LogIn}>
          {t('nav.login')}
        </MenuLink>
      )}
    </>
  )
}

/** The site's own page; who is logged in starts at the dashboard instead. */
function HomeLink() {
  const { t } = useTranslation()
  const user = useUser()
  return (
    <MenuLink to="/" activeOptions={{ exact: true }} icon={House}>
      {t(user ? 'nav.siteHome' : 'nav.home')}
    </MenuLink>
  )
}

/** Shows the logged-in user, and the way out. */
function Account({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation()
  const user = useUser()
  const logout = useLogout()
  if (!user) return null
  const name = user.display_name || user.username
  return (
    <div className="mt-3 flex items-center gap-3 border-t pt-3 pl-3">
      <Avatar name={name} />
      <span className="min-w-0 flex-1 truncate">{name}</span>
      <button
        type="button"
        className="flex min-h-11 items-center gap-2 rounded px-3 text-muted"
        onClick={() => {
          onClose()
          logout()
        }}
      >
        <LogOut className="size-4" aria-hidden />
        {t('user.logout')}
      </button>
    </div>
  )
}

function Preferences() {
  const { t } = useTranslation()
  const { choice } = useTheme()
  return (
    <div className="mt-2 flex flex-col gap-2 border-t pt-3">
      <SegmentedControl
        label={t('theme.label')}
        value={choice}
        options={useThemeChoices()}
        onChange={setTheme}
      />
      <SegmentedControl
        label={t('language.label')}
        value={currentLanguage()}
        options={languageChoices}
        onChange={(language) => void setLanguage(language)}
      />
    </div>
  )
}

interface SegmentedControlProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly {
    readonly value: Value
    readonly label: ReactNode
    readonly icon?: LucideIcon
  }[]
  readonly onChange: (value: Value) => void
}

function SegmentedControl<Value extends string>({
  label,
  value,
  options,
  onChange,
}: SegmentedControlProps<Value>) {
  return (
    <div role="radiogroup" aria-label={label} className="flex gap-1 rounded bg-sunken p-1">
      {options.map(({ value: option, label: text, icon: Icon }) => (
        // biome-ignore lint/a11y/useSemanticElements: a segment is pressed, not ticked
        <button
          key={option}
          type="button"
          role="radio"
          aria-checked={option === value}
          onClick={() => onChange(option)}
          className={cx(
            'flex h-10 flex-1 items-center justify-center gap-1.5 rounded-sm text-muted text-xs',
            option === value && 'bg-surface font-medium text-text shadow-[0_0_0_1px_var(--line)]',
          )}
        >
          {Icon && <Icon className="size-4" aria-hidden />}
          {text}
        </button>
      ))}
    </div>
  )
}
