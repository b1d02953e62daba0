import type { Sentences } from './sentences.ts'

/** Setup, login and accounts. */
export const accountRefusals = {
  setup_already_done: { en: 'The system is already set up', zh: '系统已经初始化完成' },
  setup_required: { en: 'The system is not set up yet, open /setup', zh: '系统尚未初始化，请打开 /setup' },
  setup_username_empty: { en: 'Username must not be empty', zh: '请输入管理员用户名' },
  setup_username_invalid: {
    en: 'Username must have at most {max} characters and no spaces at its ends',
    zh: '用户名最多 {max} 个字符，且首尾不能有空格',
  },
  setup_password_short: { en: 'Password must have at least 8 characters', zh: '密码长度至少为8个字符' },
  password_too_long: { en: 'Password must have at most {max} characters', zh: '密码最多 {max} 个字符' },
  username_taken: { en: 'The username is already taken', zh: '用户名已存在' },
  setup_password_mismatch: { en: 'The two passwords entered are inconsistent', zh: '两次输入的密码不一致' },
  login_fields_empty: { en: 'Please enter username and password', zh: '请输入用户名和密码' },
  login_failed: {
    en: 'Wrong username or password, or the user is banned',
    zh: '用户名或密码错误，或用户已被封禁',
  },
  password_login_disabled: {
    en: 'The administrator has switched off password login',
    zh: '管理员关闭了密码登录',
  },
} as const satisfies Sentences
