import { Dialog } from '@base-ui/react/dialog'
import { Link } from '@tanstack/react-router'
import {
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
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../../i18n/index.ts'
import { cx } from '../../lib/cx.ts'
import { useUser } from '../../lib/session.ts'
import { canRegister, useStatus } from '../../lib/status.ts'
import { setTheme, useTheme } from '../../lib/theme.ts'
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
  const user = useUser()
  const nav = useNav()
  const logout = useLogout()
  const status = useStatus()
  const chats = useChatEntries()
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
            <Link to="/" activeOptions={{ exact: true }} className={row}>
              <House className="size-5 text-muted" aria-hidden />
              {t('nav.home')}
            </Link>
            {user &&
              nav.flatMap((group) =>
                group.entries.map(({ to, search, label, icon: Icon }) => (
                  <Link key={label} to={to} {...(search && { search })} className={row}>
                    <Icon className="size-5 text-muted" aria-hidden />
                    {t(`nav.${label}`)}
                  </Link>
                )),
              )}
            {user &&
              chats.map(({ id, name }) => (
                <Link key={id} to="/chat/$id" params={{ id }} className={row}>
                  <MessageCircle className="size-5 text-muted" aria-hidden />
                  {name}
                </Link>
              ))}
            <Link to="/pricing" className={row}>
              <Tags className="size-5 text-muted" aria-hidden />
              {t('nav.pricing')}
            </Link>
            {status?.docs_link && (
              <a href={status.docs_link} target="_blank" rel="noreferrer" className={row}>
                <BookOpen className="size-5 text-muted" aria-hidden />
                {t('nav.docs')}
              </a>
            )}
            <Link to="/about" className={row}>
              <Info className="size-5 text-muted" aria-hidden />
              {t('nav.about')}
            </Link>
            {!user && canRegister(status) && (
              <Link to="/register" className={row}>
                <UserPlus className="size-5 text-muted" aria-hidden />
                {t('nav.register')}
              </Link>
            )}
            {!user && (
              <Link to="/login" className={row}>
                <LogIn className="size-5 text-muted" aria-hidden />
                {t('nav.login')}
              </Link>
            )}
          </nav>
          <Preferences />
          {user && (
            <div className="mt-3 flex items-center gap-3 border-t pt-3 pl-3">
              <Avatar name={user.display_name || user.username} />
              <span className="min-w-0 flex-1 truncate">{user.display_name || user.username}</span>
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
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
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
