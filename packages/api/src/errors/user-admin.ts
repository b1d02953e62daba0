import type { LocalizedTexts } from './localized-texts.ts'

/** What administrators may not do with users. */
export const userAdminRefusals = {
  user_unknown: { en: 'There is no such user', zh: '用户不存在' },
  user_not_readable: {
    en: 'You may not read users of your own or a higher rank',
    zh: '无权获取同级或更高等级用户的信息',
  },
  user_rank_too_high: {
    en: 'You may not change users of your own or a higher rank',
    zh: '无权更新同权限等级或更高权限等级的用户信息',
  },
  user_is_root: {
    en: 'The super administrator cannot be disabled, demoted or deleted',
    zh: '无法禁用、降级或删除超级管理员用户',
  },
  user_promote_needs_root: {
    en: 'Only the super administrator may make somebody an administrator',
    zh: '普通管理员用户无法提升其他用户为管理员',
  },
  user_already_admin: { en: 'The user is an administrator already', zh: '该用户已经是管理员' },
  user_already_common: { en: 'The user is a common user already', zh: '该用户已经是普通用户' },
  user_changed_meanwhile: {
    en: 'Somebody else has just changed this user: load it again',
    zh: '该用户刚刚被其他人修改，请刷新后重试',
  },
  user_group_unknown: {
    en: 'group: there is no group {group}, add it to the group ratios first',
    zh: 'group：分组 {group} 不存在，请先在分组倍率中添加',
  },
  user_balance_out_of_range: {
    en: 'quota: the balance must stay between -{max} and {max}',
    zh: 'quota：余额必须在 -{max} 到 {max} 之间',
  },
} as const satisfies LocalizedTexts
