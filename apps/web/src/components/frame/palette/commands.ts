import { useNavigate } from '@tanstack/react-router'
import { House, Info, Keyboard, Languages, LogIn, LogOut, Plus, SunMoon, Tags } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { currentLanguage, setLanguage } from '../../../i18n/index.ts'
import { toggleTheme } from '../../../lib/browser/theme.ts'
import type { Command } from '../../../lib/commands.ts'
import { hasPart, useUser } from '../../../lib/session/session.ts'
import { useNav } from '../nav.ts'
import { useLogout } from '../use-logout.ts'

/** Returns the commands that open pages. */
export function usePageCommands(): readonly Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const user = useUser()
  const nav = useNav()
  const group = t('palette.pages')
  const home: Command = {
    id: 'page-home',
    title: t(user ? 'nav.siteHome' : 'nav.home'),
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
      keywords: entry.keywords.split(','),
      shortcut: `g ${entry.letter}`,
      run: () => void navigate({ to: entry.to, ...(entry.search && { search: entry.search }) }),
    })),
  )
  return [home, ...pages, ...publicPages]
}

/** Returns the commands that add what an administrator adds most often. */
export function useActionCommands(): readonly Command[] {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const user = useUser()
  const group = useTranslation().t('palette.actions')
  const add = (id: string, title: string, to: '/user/add' | '/channel/add' | '/redemption/add') => ({
    id,
    title,
    group,
    icon: Plus,
    keywords: ['new', 'create', '新建'],
    run: () => void navigate({ to }),
  })
  return [
    ...(hasPart(user, 'users') ? [add('user-add', t('palette.addUser'), '/user/add')] : []),
    ...(hasPart(user, 'channels') ? [add('channel-add', t('palette.addChannel'), '/channel/add')] : []),
    ...(hasPart(user, 'money') ? [add('redemption-add', t('palette.createCodes'), '/redemption/add')] : []),
  ]
}

/** Returns the commands that the frame offers on every page. */
export function useFrameCommands(onShowKeys: () => void): readonly Command[] {
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
