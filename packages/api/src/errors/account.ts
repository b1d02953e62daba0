import type { LocalizedTexts } from './localized-texts.ts'

/** Setup, login and accounts. */
export const accountRefusals = {
  setup_already_done: { en: 'The system is already set up', zh: '系统已经初始化完成' },
  setup_required: { en: 'The system is not set up yet, open /setup', zh: '系统尚未初始化，请打开 /setup' },
  setup_code_wrong: {
    en: 'The set-up code is wrong. The server prints it at its start, and another one at each start',
    zh: '初始化码不正确。服务器每次启动时都会打印一个新的初始化码',
  },
  setup_username_empty: { en: 'Username must not be empty', zh: '请输入管理员用户名' },
  username_invalid: {
    en: 'Username must have 1 to {max} visible characters and no spaces at its ends',
    zh: '用户名须为 1 到 {max} 个可见字符，且首尾不能有空格',
  },
  password_short: { en: 'Password must have at least {min} characters', zh: '密码长度至少为{min}个字符' },
  password_too_long: { en: 'Password must have at most {max} characters', zh: '密码最多 {max} 个字符' },
  username_taken: {
    en: 'The username is already taken, perhaps by an account that was deleted',
    zh: '用户名已存在，或已注销',
  },
  password_mismatch: { en: 'The two passwords entered are inconsistent', zh: '两次输入的密码不一致' },
  login_fields_empty: { en: 'Please enter username and password', zh: '请输入用户名和密码' },
  login_failed: {
    en: 'Wrong username or password, or the user is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  password_login_disabled: {
    en: 'The administrator has switched off password login',
    zh: '管理员关闭了密码登录',
  },
} as const satisfies LocalizedTexts
