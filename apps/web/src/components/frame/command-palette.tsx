import { Dialog } from '@base-ui/react/dialog'
import { useNavigate } from '@tanstack/react-router'
import { Command as Palette } from 'cmdk'
import { House, Info, Keyboard, Languages, LogIn, LogOut, Plus, SunMoon, Tags } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../../i18n/index.ts'
import { type Command, useRegisteredCommands } from '../../lib/commands.ts'
import { useUser } from '../../lib/session.ts'
import { toggleTheme } from '../../lib/theme.ts'
import { KeyCaps } from '../ui/kbd.tsx'
import { useNav } from './nav.ts'
import { useLogout } from './use-logout.ts'

export interface CommandPaletteProps {
  readonly onClose: () => void
  readonly onShowKeys: () => void
}

/** Everything the console can do, found by typing. */
export function CommandPalette({ onClose, onShowKeys }: CommandPaletteProps) {
  const { t } = useTranslation()
  const registered = useRegisteredCommands()
  const commands = [...registered, ...usePageCommands(), ...useFrameCommands(onShowKeys)]
  const groups = [...new Set(commands.map((command) => command.group))]

  function run(command: Command): void {
    onClose()
    command.run()
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="fixed inset-0 z-40 bg-scrim" />
        <Dialog.Popup
          aria-label={t('palette.title')}
          className="floating fixed top-[14dvh] left-1/2 z-40 w-[calc(100vw-1.5rem)] max-w-xl -translate-x-1/2 overflow-hidden rounded-lg outline-none"
        >
          <Palette label={t('palette.title')} loop className="flex max-h-[60dvh] flex-col">
            <Palette.Input
              autoFocus
              placeholder={t('palette.placeholder')}
              className="h-12 w-full shrink-0 border-b bg-transparent px-4 text-base outline-none"
            />
            <Palette.List className="min-h-0 overflow-y-auto p-1.5 text-sm">
              <Palette.Empty className="px-3 py-8 text-center text-muted">
                {t('palette.nothing')}
              </Palette.Empty>
              {groups.map((group) => (
                <Palette.Group
                  key={group}
                  heading={group}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-2xs [&_[cmdk-group-heading]]:text-muted"
                >
                  {commands
                    .filter((command) => command.group === group)
                    .map((command) => (
                      <PaletteItem key={command.id} command={command} onRun={() => run(command)} />
                    ))}
                </Palette.Group>
              ))}
            </Palette.List>
          </Palette>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteItem({ command, onRun }: { readonly command: Command; readonly onRun: () => void }) {
  const { icon: Icon } = command
  return (
    <Palette.Item
      value={`${command.title} ${command.id}`}
      keywords={[...(command.keywords ?? [])]}
      onSelect={onRun}
      className="flex min-h-9 cursor-default items-center gap-2.5 rounded px-2.5 data-[selected=true]:bg-hover max-sm:min-h-11"
    >
      {Icon && <Icon className="size-4 shrink-0 text-muted" aria-hidden />}
      <span className="min-w-0 flex-1 truncate">{command.title}</span>
      {command.shortcut && <KeyCaps keys={command.shortcut} className="max-sm:hidden" />}
    </Palette.Item>
  )
}

function usePageCommands(): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useUser()
  const nav = useNav()
  const group = t('palette.pages')
  const home: Command = {
    id: 'page-home',
    title: t('nav.home'),
    group,
    icon: House,
    shortcut: 'g h',
    run: () => void navigate({ to: '/' }),
  }
  const publicPages: readonly Command[] = [
    {
      id: 'page-pricing',
      title: t('nav.pricing'),
      group,
      icon: Tags,
      keywords: ['price', 'model', '价格', '模型'],
      run: () => void navigate({ to: '/pricing' }),
    },
    {
      id: 'page-about',
      title: t('nav.about'),
      group,
      icon: Info,
      run: () => void navigate({ to: '/about' }),
    },
  ]
  if (!user) {
    return [
      home,
      ...publicPages,
      {
        id: 'page-login',
        title: t('nav.login'),
        group,
        icon: LogIn,
        run: () => void navigate({ to: '/login' }),
      },
    ]
  }
  const pages = nav.flatMap((navGroup) =>
    navGroup.entries.map((entry) => ({
      id: `page-${entry.label}`,
      title: t(`nav.${entry.label}`),
      group,
      icon: entry.icon,
      keywords: entry.keywords,
      shortcut: `g ${entry.letter}`,
      run: () => void navigate({ to: entry.to, ...(entry.search && { search: entry.search }) }),
    })),
  )
  return [home, ...pages, ...publicPages]
}

function useFrameCommands(onShowKeys: () => void): readonly Command[] {
  const { t } = useTranslation()
  const user = useUser()
  const navigate = useNavigate()
  const logout = useLogout()
  const group = t('palette.actions')
  const commands: readonly Command[] = [
    {
      id: 'theme',
      title: t('palette.toggleTheme'),
      group,
      icon: SunMoon,
      keywords: ['dark', 'light', '深色', '浅色'],
      run: toggleTheme,
    },
    {
      id: 'language',
      title: currentLanguage() === 'zh' ? 'Switch to English' : '切换到简体中文',
      group,
      icon: Languages,
      keywords: ['language', '语言'],
      run: () => void setLanguage(currentLanguage() === 'zh' ? 'en' : 'zh'),
    },
    { id: 'keys', title: t('keys.title'), group, icon: Keyboard, shortcut: '?', run: onShowKeys },
  ]
  const createKey: Command = {
    id: 'token-add',
    title: t('palette.createKey'),
    group,
    icon: Plus,
    keywords: ['new', 'token', 'sk', '新建', '密钥'],
    run: () => void navigate({ to: '/token/add' }),
  }
  return user
    ? [createKey, ...commands, { id: 'logout', title: t('user.logout'), group, icon: LogOut, run: logout }]
    : commands
}
