<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Application</name>
    <message>
        <source>Quit now?</source>
        <translation>现在退出？</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Everything has ended meanwhile.</source>
        <translation>在此期间一切都已结束。</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>It is a folder; attach the files in it.</source>
        <translation>这是文件夹；请附加其中的文件。</translation>
    </message>
    <message>
        <source>It cannot be read: %1.</source>
        <translation>无法读取：%1。</translation>
    </message>
    <message>
        <source>It has %1; a text file of at most %2 fits.</source>
        <translation>大小为 %1；文本文件最大 %2。</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>文件为空。</translation>
    </message>
    <message>
        <source>It is no text in UTF-8 or UTF-16, so the model could not read it.</source>
        <translation>不是 UTF-8 或 UTF-16 文本，模型无法读取。</translation>
    </message>
</context>
<context>
    <name>BenchText</name>
    <message>
        <source>The load was cancelled.</source>
        <translation>加载已取消。</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>未加载模型。</translation>
    </message>
    <message>
        <source>Load a model, then run the experiment.</source>
        <translation>请先加载模型，再运行实验。</translation>
    </message>
    <message>
        <source>The experiment was stopped.</source>
        <translation>实验已停止。</translation>
    </message>
</context>
<context>
    <name>BlockMap</name>
    <message>
        <source>KV block map</source>
        <translation>KV 块图</translation>
    </message>
    <message>
        <source>Shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>Sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>另外 %1 个</translation>
    </message>
    <message>
        <source>Cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>空闲</translation>
    </message>
    <message>
        <source>%1 tokens each</source>
        <translation>每块 %1 个词元</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>块 %1</translation>
    </message>
    <message>
        <source>Blocks %1–%2</source>
        <translation>块 %1–%2</translation>
    </message>
    <message>
        <source>free: holds nothing</source>
        <translation>空闲：不含任何内容</translation>
    </message>
    <message>
        <source>last used %1 ago</source>
        <translation>%1前用过</translation>
    </message>
    <message>
        <source>cached and reusable: no sequence refers to it</source>
        <translation>已缓存且可复用：没有序列引用它</translation>
    </message>
    <message>
        <source>sequence %1</source>
        <translation>序列 %1</translation>
    </message>
    <message>
        <source>owner %1</source>
        <translation>所有者 %1</translation>
    </message>
    <message>
        <source>oldest owner %1</source>
        <translation>最早的所有者 %1</translation>
    </message>
    <message>
        <source>1 reference</source>
        <translation>1 个引用</translation>
    </message>
    <message>
        <source>%1 references</source>
        <translation>%1 个引用</translation>
    </message>
    <message>
        <source>Window-freed</source>
        <translation>滑窗释放</translation>
    </message>
    <message>
        <source>of %1 layers that see %2 tokens back</source>
        <translation>属于只看前 %2 个词元的 %1 层</translation>
    </message>
    <message>
        <source>of %1 layers that see everything</source>
        <translation>属于能看到全部内容的 %1 层</translation>
    </message>
    <message>
        <source>its sequence lives on; the sliding window has passed it</source>
        <translation>其序列仍在运行；滑动窗口已越过它</translation>
    </message>
    <message>
        <source>%1 tok each</source>
        <translation>各 %1 词元</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>More actions for this chat</source>
        <translation>此对话的更多操作</translation>
    </message>
    <message>
        <source>Inspector (Ctrl+I)</source>
        <translation>检查器 (Ctrl+I)</translation>
    </message>
    <message>
        <source>List of chats (Ctrl+B)</source>
        <translation>聊天列表 (Ctrl+B)</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Search chats</source>
        <translation>搜索对话</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>清空</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Empty the Trash?</source>
        <translation>清空回收站？</translation>
    </message>
    <message>
        <source>Chats that go for good: %1.</source>
        <translation>将被永久删除的对话：%1。</translation>
    </message>
    <message>
        <source>Empty Trash</source>
        <translation>清空回收站</translation>
    </message>
    <message>
        <source>The Trash is empty.</source>
        <translation>回收站是空的。</translation>
    </message>
    <message>
        <source>No chat contains “%1”.</source>
        <translation>没有对话包含“%1”。</translation>
    </message>
    <message>
        <source>No chats yet. The first one starts when you send a message.</source>
        <translation>还没有对话。发送第一条消息即可开始。</translation>
    </message>
    <message>
        <source>Rename chat</source>
        <translation>重命名对话</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消置顶</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Move to folder</source>
        <translation>移到文件夹</translation>
    </message>
    <message>
        <source>New folder…</source>
        <translation>新建文件夹…</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>新建文件夹</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Out of %1</source>
        <translation>移出“%1”</translation>
    </message>
    <message>
        <source>Open beside</source>
        <translation>在旁边打开</translation>
    </message>
</context>
<context>
    <name>ChatListModel</name>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>temporary</source>
        <translation>临时</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>回收站</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>已置顶</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>This week</source>
        <translation>本周</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>更早</translation>
    </message>
    <message>
        <source>%1, answering</source>
        <translation>%1，正在回答</translation>
    </message>
    <message>
        <source>%1, unread</source>
        <translation>%1，未读</translation>
    </message>
</context>
<context>
    <name>ChatPage::Private</name>
    <message>
        <source>Messages of this chat that could not be read: %1.</source>
        <translation>此对话中无法读取的消息：%1。</translation>
    </message>
    <message>
        <source>They are hidden; the rest is complete.</source>
        <translation>它们已隐藏，其余内容完整。</translation>
    </message>
    <message>
        <source>Chat moved to the Trash</source>
        <translation>对话已移到回收站</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Export chat</source>
        <translation>导出对话</translation>
    </message>
    <message>
        <source>The chat was not exported.</source>
        <translation>对话未能导出。</translation>
    </message>
    <message>
        <source>Import chats of Vitrine or ChatGPT</source>
        <translation>导入 Vitrine 或 ChatGPT 的对话</translation>
    </message>
    <message>
        <source>JSON files</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <source>the file is larger than 1 GiB</source>
        <translation>文件大于 1 GiB</translation>
    </message>
    <message>
        <source>%1 was not imported.</source>
        <translation>%1 未能导入。</translation>
    </message>
    <message>
        <source>Chats imported: %1.</source>
        <translation>已导入的对话：%1。</translation>
    </message>
    <message>
        <source>%1 was not attached.</source>
        <translation>%1 未能附加。</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>新建临时对话</translation>
    </message>
    <message>
        <source>Find in chat…</source>
        <translation>在对话中查找…</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>导入对话…</translation>
    </message>
    <message>
        <source>Move to Trash</source>
        <translation>移到回收站</translation>
    </message>
    <message>
        <source>Chat moved</source>
        <translation>对话已移动</translation>
    </message>
    <message>
        <source>Chat renamed</source>
        <translation>对话已重命名</translation>
    </message>
    <message>
        <source>Attach text files</source>
        <translation>附加文本文件</translation>
    </message>
    <message>
        <source>Text files</source>
        <translation>文本文件</translation>
    </message>
    <message>
        <source>Answers recovered: %1.</source>
        <translation>已恢复的回答：%1。</translation>
    </message>
    <message>
        <source>Vitrine was interrupted while they were written.</source>
        <translation>写入这些回答时 Vitrine 被中断。</translation>
    </message>
    <message>
        <source>Chats could not be opened.</source>
        <translation>无法打开对话。</translation>
    </message>
    <message>
        <source>Not saved yet.</source>
        <translation>尚未保存。</translation>
    </message>
    <message>
        <source>%1. The chat stays in memory and is saved when the disk takes it.</source>
        <translation>%1。对话留在内存中，磁盘可写时会保存。</translation>
    </message>
    <message>
        <source>Saved.</source>
        <translation>已保存。</translation>
    </message>
    <message>
        <source>Everything is on disk again.</source>
        <translation>全部内容已写入磁盘。</translation>
    </message>
    <message>
        <source>%1 was not loaded.</source>
        <translation>%1 未能加载。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>loading %1</source>
        <translation>正在加载 %1</translation>
    </message>
    <message>
        <source>loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Temporary chat</source>
        <translation>临时对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>Second chat beside this one</source>
        <translation>在旁边打开第二个对话</translation>
    </message>
    <message>
        <source>The chat database was damaged. Chats saved from it: %1.</source>
        <translation>对话数据库已损坏。从中救回的对话：%1。</translation>
    </message>
    <message>
        <source>The damaged file is kept as %1; a backup can replace it.</source>
        <translation>损坏的文件保留为 %1；可用备份替换。</translation>
    </message>
    <message>
        <source>An answer is still being written.</source>
        <translation>回答仍在生成。</translation>
    </message>
    <message>
        <source>Stop it with Esc, then edit, regenerate or delete.</source>
        <translation>按 Esc 停止，然后再编辑、重新生成或删除。</translation>
    </message>
    <message>
        <source>Messages deleted: %1</source>
        <translation>已删除消息：%1</translation>
    </message>
    <message>
        <source>Markdown, what is on screen</source>
        <translation>Markdown（屏幕上的内容）</translation>
    </message>
    <message>
        <source>JSON, with every branch</source>
        <translation>JSON（包含所有分支）</translation>
    </message>
    <message>
        <source>Chat exported.</source>
        <translation>对话已导出。</translation>
    </message>
    <message>
        <source>Parts of %1 could not be read and were left out: chats %2, messages %3. Export them again.</source>
        <translation>%1 中有部分内容无法读取，已略去：对话 %2，消息 %3。请重新导出。</translation>
    </message>
</context>
<context>
    <name>ChatPane</name>
    <message>
        <source>Close the second chat</source>
        <translation>关闭第二个对话</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
</context>
<context>
    <name>ChatSession</name>
    <message>
        <source>No model is loaded, so this turn has no answer yet.</source>
        <translation>没有加载模型，所以这一轮还没有回答。</translation>
    </message>
    <message>
        <source>Load a model, then try again.</source>
        <translation>请加载模型后重试。</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>The server is still running.</source>
        <translation>服务器仍在运行。</translation>
    </message>
    <message>
        <source>%1 can go on with the window closed; an icon in the tray then opens the window again or quits. Settings, General, changes this later.</source>
        <translation>关闭窗口后 %1 可以继续运行；托盘图标可重新打开窗口或退出。以后可在“设置 · 常规”中更改。</translation>
    </message>
    <message>
        <source>Keep serving</source>
        <translation>继续提供服务</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Closing Vitrine stops %1. This desktop shows no tray icon that could bring a hidden window back; a minimized one goes on serving.</source>
        <translation>关闭 Vitrine 会停止 %1。此桌面不显示托盘图标，无法找回隐藏的窗口；最小化后可继续提供服务。</translation>
    </message>
    <message>
        <source>Minimize</source>
        <translation>最小化</translation>
    </message>
    <message>
        <source>Vitrine is still serving</source>
        <translation>Vitrine 仍在提供服务</translation>
    </message>
    <message>
        <source>%1 goes on. The icon in the tray opens the window or quits.</source>
        <translation>%1 继续运行。托盘图标可打开窗口或退出。</translation>
    </message>
    <message>
        <source>Open Vitrine</source>
        <translation>打开 Vitrine</translation>
    </message>
    <message>
        <source>Vitrine, serving at %1</source>
        <translation>Vitrine，服务地址 %1</translation>
    </message>
</context>
<context>
    <name>CodeTools</name>
    <message>
        <source>Wrap lines</source>
        <translation>自动换行</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>复制代码</translation>
    </message>
</context>
<context>
    <name>CommandPalette</name>
    <message>
        <source>Type an action, a model or a page</source>
        <translation>输入操作、模型或页面</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>↑ ↓ choose   ·   Enter run   ·   Esc close</source>
        <translation>↑ ↓ 选择   ·   回车执行   ·   Esc 关闭</translation>
    </message>
    <message>
        <source>1 result</source>
        <translation>1 个结果</translation>
    </message>
    <message>
        <source>%1 results</source>
        <translation>%1 个结果</translation>
    </message>
    <message>
        <source>Nothing is called “%1”. Chats are searched with %2.</source>
        <translation>没有名为“%1”的内容。用 %2 搜索聊天。</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach a text file</source>
        <translation>附加文本文件</translation>
    </message>
    <message>
        <source>Tokens of the draft</source>
        <translation>草稿的词元数</translation>
    </message>
    <message>
        <source>Message %1</source>
        <translation>给 %1 发消息</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>Pasted text</source>
        <translation>粘贴的文本</translation>
    </message>
    <message>
        <source>Editing an earlier turn: makes a branch</source>
        <translation>正在编辑较早的一轮：会产生分支</translation>
    </message>
    <message>
        <source>Queued: %1</source>
        <translation>排队中：%1</translation>
    </message>
    <message>
        <source>Sent when the answer has ended. Click to edit.</source>
        <translation>回答结束后发送。点击可编辑。</translation>
    </message>
    <message>
        <source>%1, %2 characters</source>
        <translation>%1，%2 个字符</translation>
    </message>
    <message>
        <source>The answer was stopped: Enter sends this. Click to edit.</source>
        <translation>回答已停止：按 Enter 发送。点击可编辑。</translation>
    </message>
    <message>
        <source>Text that %1 goes on with: it has no chat template</source>
        <translation>%1 会续写的文本：它没有聊天模板</translation>
    </message>
</context>
<context>
    <name>ComposerEdit</name>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>ContextRing</name>
    <message>
        <source>Context: %1</source>
        <translation>上下文：%1</translation>
    </message>
    <message>
        <source>Tokens in the context: system %1, history %2, draft %3, kept for the reply %4</source>
        <translation>上下文中的词元：系统 %1，历史 %2，草稿 %3，为回答预留 %4</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1, nearly full</source>
        <translation>%1，快满了</translation>
    </message>
</context>
<context>
    <name>Days</name>
    <message>
        <source>d MMM yyyy</source>
        <extracomment>Format of a date as QLocale::toString() takes it: day, short month, year</extracomment>
        <translation>yyyy年M月d日</translation>
    </message>
    <message>
        <source>d MMM</source>
        <extracomment>Format of a date of this year as QLocale::toString() takes it: day and short month</extracomment>
        <translation>M月d日</translation>
    </message>
</context>
<context>
    <name>DemoLoad</name>
    <message>
        <source>Demo: %1</source>
        <translation>演示：%1</translation>
    </message>
</context>
<context>
    <name>Dialogs</name>
    <message>
        <source>All files (*)</source>
        <translation>所有文件 (*)</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>确定</translation>
    </message>
</context>
<context>
    <name>DownloadJob</name>
    <message>
        <source>no byte came for %1 s</source>
        <translation>%1 秒内没有收到数据</translation>
    </message>
    <message>
        <source>The disk is too full: %1 are needed, %2 are free.</source>
        <translation>磁盘空间不足：需要 %1，可用 %2。</translation>
    </message>
    <message>
        <source>Free some space in %1, then go on.</source>
        <translation>请在 %1 中腾出空间，然后继续。</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 已经存在。</translation>
    </message>
    <message>
        <source>Remove or rename it to download it again.</source>
        <translation>要重新下载，请先删除或重命名它。</translation>
    </message>
    <message>
        <source>the server cannot go on from here</source>
        <translation>服务器无法从这里继续</translation>
    </message>
    <message>
        <source>%1 refused the file with HTTP %2.</source>
        <translation>%1 拒绝提供文件（HTTP %2）。</translation>
    </message>
    <message>
        <source>Search for the model again; it may have moved or ask for a login.</source>
        <translation>请重新搜索此模型；它可能已移动或需要登录。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>Free some space, then go on.</source>
        <translation>请腾出空间，然后继续。</translation>
    </message>
    <message>
        <source>the connection ended at %1 of %2</source>
        <translation>连接在 %1 / %2 处中断</translation>
    </message>
    <message>
        <source>The server sent more than the %1 it announced.</source>
        <translation>服务器发送的内容超过了它声明的 %1。</translation>
    </message>
    <message>
        <source>Search for the model again; it may have changed.</source>
        <translation>请重新搜索此模型；它可能已更改。</translation>
    </message>
    <message>
        <source>The download stopped at %1 of %2: %3.</source>
        <translation>下载停在 %1 / %2：%3。</translation>
    </message>
    <message>
        <source>What came so far is kept; go on when the connection is back.</source>
        <translation>已下载的部分会保留；连接恢复后可继续。</translation>
    </message>
    <message>
        <source>The file has SHA-256 %1…, the repository says %2….</source>
        <translation>文件的 SHA-256 是 %1…，仓库给出的是 %2…。</translation>
    </message>
    <message>
        <source>It is kept aside as %1 and not offered. Download it again.</source>
        <translation>它已另存为 %1，不会被列出。请重新下载。</translation>
    </message>
    <message>
        <source>%1 cannot be renamed.</source>
        <translation>无法重命名 %1。</translation>
    </message>
    <message>
        <source>Check the rights of the folder, then go on.</source>
        <translation>请检查文件夹权限，然后继续。</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Download of %1</source>
        <translation>%1 的下载</translation>
    </message>
    <message>
        <source>Remove the download of %1</source>
        <translation>移除 %1 的下载</translation>
    </message>
    <message>
        <source>Paused at %1 of %2</source>
        <translation>已暂停：%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2, tried again soon: %3</source>
        <translation>%1 / %2，即将重试：%3</translation>
    </message>
    <message>
        <source>Checking the SHA-256: %1 of %2</source>
        <translation>正在校验 SHA-256：%1 / %2</translation>
    </message>
    <message>
        <source>Ready, %1</source>
        <translation>完成，%1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 of %2 · %3/s · %4 left</source>
        <translation>%1 / %2 · %3/秒 · 剩余 %4</translation>
    </message>
    <message>
        <source> s</source>
        <translation> 秒</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Use it</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>隐藏</translation>
    </message>
</context>
<context>
    <name>DraftPicker</name>
    <message>
        <source>Draft model</source>
        <translation>草稿模型</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>n-gram, no model</source>
        <translation>n-gram，无模型</translation>
    </message>
</context>
<context>
    <name>EnginePage</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>10 s</source>
        <translation>10 秒</translation>
    </message>
    <message>
        <source>1 min</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>10 min</source>
        <translation>10 分钟</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Time shown</source>
        <translation>显示的时间范围</translation>
    </message>
    <message>
        <source>Hold the plots still (Space)</source>
        <translation>暂停图表（空格）</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Steps as CSV…</source>
        <translation>步骤存为 CSV…</translation>
    </message>
    <message>
        <source>Steps as JSON…</source>
        <translation>步骤存为 JSON…</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Last steps of the engine</source>
        <translation>引擎最近的步骤</translation>
    </message>
    <message>
        <source>no model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>● paused</source>
        <translation>● 已暂停</translation>
    </message>
    <message>
        <source>○ idle</source>
        <translation>○ 空闲</translation>
    </message>
    <message>
        <source>● live</source>
        <translation>● 实时</translation>
    </message>
    <message>
        <source>No model is loaded; the engine has nothing to show yet.</source>
        <translation>没有加载模型，引擎还没有可显示的内容。</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Idle: the last activity is shown dimmed.</source>
        <translation>空闲：变暗显示最近的活动。</translation>
    </message>
    <message>
        <source>Nothing holds the engine back.</source>
        <translation>没有什么拖慢引擎。</translation>
    </message>
    <message>
        <source>Export steps</source>
        <translation>导出步骤</translation>
    </message>
    <message>
        <source>%1: %2. Choose another folder.</source>
        <translation>%1：%2。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>at %1 s</source>
        <translation>位于 %1 秒</translation>
    </message>
    <message>
        <source>not recorded</source>
        <translation>未记录</translation>
    </message>
    <message>
        <source>%1 kernels of the loaded model</source>
        <translation>已加载模型的 %1 个内核</translation>
    </message>
    <message>
        <source>%1 steps in the selected %2 s</source>
        <translation>所选 %2 秒内的 %1 个步骤</translation>
    </message>
    <message>
        <source>The last %1 steps up to the playhead</source>
        <translation>播放头之前的最近 %1 个步骤</translation>
    </message>
    <message>
        <source>The last %1 steps</source>
        <translation>最近 %1 个步骤</translation>
    </message>
    <message>
        <source>writing %1</source>
        <translation>正在写入 %1</translation>
    </message>
    <message>
        <source>recording %1</source>
        <translation>录制 %1</translation>
    </message>
    <message>
        <source>A recording is shown: %1 steps of %2. Names of requests and texts are not in it.</source>
        <translation>正在显示录制：%2 的 %1 个步骤。其中不含请求名称和文本。</translation>
    </message>
    <message>
        <source>Show the figure</source>
        <translation>显示该数值</translation>
    </message>
    <message>
        <source>A recording holds no text.</source>
        <translation>录制不含文本。</translation>
    </message>
    <message>
        <source>Text is known of the present only.</source>
        <translation>只有当前时刻的文本是已知的。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Move the playhead through what is shown</source>
        <translation>让播放头走过所显示的内容</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>返回实时</translation>
    </message>
    <message>
        <source>Close the recording</source>
        <translation>关闭录制</translation>
    </message>
    <message>
        <source>Write what is shown to a file</source>
        <translation>将所显示的内容写入文件</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Trace for Perfetto…</source>
        <translation>Perfetto 跟踪…</translation>
    </message>
    <message>
        <source>Save a recording…</source>
        <translation>保存录制…</translation>
    </message>
    <message>
        <source>Open a recording…</source>
        <translation>打开录制…</translation>
    </message>
    <message>
        <source>Why batching helps: policies</source>
        <translation>批处理为何有用：策略</translation>
    </message>
    <message>
        <source>What blocks save: paging</source>
        <translation>块能节省什么：分页</translation>
    </message>
    <message>
        <source>What the prefix cache finds</source>
        <translation>前缀缓存能找到什么</translation>
    </message>
    <message>
        <source>What drafts save: speculation</source>
        <translation>草稿能节省什么：推测</translation>
    </message>
    <message>
        <source>What the KV cache saves</source>
        <translation>KV 缓存能节省什么</translation>
    </message>
    <message>
        <source>How many requests fit: capacity</source>
        <translation>能容纳多少请求：容量</translation>
    </message>
    <message>
        <source>Lab: %1</source>
        <translation>实验室：%1</translation>
    </message>
    <message>
        <source>Drag to replay the past; the wheel zooms, with Shift it moves</source>
        <translation>拖动可回放过去；滚轮缩放，按住 Shift 则移动</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Table shown</source>
        <translation>显示的表格</translation>
    </message>
    <message>
        <source>Zoom in</source>
        <translation>放大</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>取消选择</translation>
    </message>
    <message>
        <source>Kernels of the loaded model</source>
        <translation>已加载模型的内核</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择其他文件。</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; a recording has at most %3.</source>
        <translation>%1 有 %2 字节；录制最多 %3 字节。</translation>
    </message>
    <message>
        <source>Choose a file that Vitrine saved.</source>
        <translation>请选择 Vitrine 保存的文件。</translation>
    </message>
    <message>
        <source>Export a trace</source>
        <translation>导出跟踪</translation>
    </message>
    <message>
        <source>Save a recording</source>
        <translation>保存录制</translation>
    </message>
    <message>
        <source>The file was not written</source>
        <translation>文件未能写入</translation>
    </message>
    <message>
        <source>Open a recording</source>
        <translation>打开录制</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>录制</translation>
    </message>
    <message>
        <source>The recording was not opened</source>
        <translation>录制未能打开</translation>
    </message>
    <message>
        <source>Only this program&apos;s own requests are shown. %1</source>
        <translation>仅显示本程序自己的请求。%1</translation>
    </message>
    <message>
        <source>The metrics of %1 are read once a second.</source>
        <translation>每秒读取一次 %1 的指标。</translation>
    </message>
    <message>
        <source>Nothing waits at %1.</source>
        <translation>%1 上没有请求在等待。</translation>
    </message>
    <message>
        <source>%1 requests wait at %2: %3 run, and %4 of its KV cache is in use.</source>
        <translation>%2 上有 %1 个请求在等待：%3 个在运行，KV 缓存已用 %4。</translation>
    </message>
    <message>
        <source>%1 requests wait at %2, %3 run.</source>
        <translation>%2 上有 %1 个请求在等待，%3 个在运行。</translation>
    </message>
    <message>
        <source>The last %1 readings, as the server gives them</source>
        <translation>最近 %1 次读数，与服务器给出的一致</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Whose engine is shown: this computer&apos;s or that of a server</source>
        <translation>显示哪个引擎：本机的还是某台服务器的</translation>
    </message>
    <message>
        <source>Readings as CSV…</source>
        <translation>读数导出为 CSV…</translation>
    </message>
    <message>
        <source>Readings as JSON…</source>
        <translation>读数导出为 JSON…</translation>
    </message>
    <message>
        <source>What fewer bits cost: quantization</source>
        <translation>更少位数的代价：量化</translation>
    </message>
    <message>
        <source>What each optimisation buys: ablation</source>
        <translation>每项优化带来什么：消融</translation>
    </message>
    <message>
        <source>Last readings of the server&apos;s metrics</source>
        <translation>服务器指标的最近读数</translation>
    </message>
    <message>
        <source>Of %1 drafts a step %2 are accepted: without drafts it may be faster.</source>
        <translation>每步 %1 个草稿中有 %2 个被接受：不用草稿可能更快。</translation>
    </message>
    <message>
        <source>%1 requests wait at %2.</source>
        <translation>%2 上有 %1 个请求在等待。</translation>
    </message>
    <message>
        <source>Idle: no request has run yet.</source>
        <translation>空闲：尚未运行任何请求。</translation>
    </message>
</context>
<context>
    <name>EnginePicker</name>
    <message>
        <source>The server is not in use</source>
        <translation>未使用该服务器</translation>
    </message>
    <message>
        <source>This computer, no model</source>
        <translation>本机，没有模型</translation>
    </message>
    <message>
        <source>This computer · %1</source>
        <translation>本机 · %1</translation>
    </message>
    <message>
        <source>Models of this computer…</source>
        <translation>本机的模型…</translation>
    </message>
    <message>
        <source>Add a server…</source>
        <translation>添加服务器…</translation>
    </message>
    <message>
        <source>Change a server</source>
        <translation>修改服务器</translation>
    </message>
    <message>
        <source>%1…</source>
        <translation>%1…</translation>
    </message>
</context>
<context>
    <name>EngineTracks</name>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>Decode, all requests</source>
        <translation>解码，所有请求</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>tokens a step</source>
        <translation>每步词元</translation>
    </message>
    <message>
        <source>sequences</source>
        <translation>序列</translation>
    </message>
    <message>
        <source>Batch, sequences</source>
        <translation>批，序列数</translation>
    </message>
    <message>
        <source>cached</source>
        <translation>已缓存</translation>
    </message>
    <message>
        <source>active</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>shared</source>
        <translation>共享</translation>
    </message>
    <message>
        <source>KV blocks in use</source>
        <translation>使用中的 KV 块</translation>
    </message>
    <message>
        <source>prefix hits</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>Prefix hits, 60 s</source>
        <translation>前缀命中，60 秒</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>已接受</translation>
    </message>
    <message>
        <source>Accepted drafts</source>
        <translation>接受的草稿</translation>
    </message>
    <message>
        <source>p50</source>
        <translation>p50</translation>
    </message>
    <message>
        <source>p95</source>
        <translation>p95</translation>
    </message>
    <message>
        <source>p99</source>
        <translation>p99</translation>
    </message>
    <message>
        <source>First token, p50</source>
        <translation>首个词元，p50</translation>
    </message>
    <message>
        <source>Between tokens, p50</source>
        <translation>词元间隔，p50</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向计算</translation>
    </message>
    <message>
        <source>Step time</source>
        <translation>步骤时间</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>KV in use</source>
        <translation>KV 使用中</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Device memory</source>
        <translation>设备内存</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>a step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>%1 all</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>共 %1</translation>
    </message>
    <message>
        <source>p95 %1 · p99 %2</source>
        <translation>p95 %1 · p99 %2</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>主机 %1</translation>
    </message>
    <message>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>使用中</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>峰值</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>draft and schedule</source>
        <translation>草稿与调度</translation>
    </message>
    <message>
        <source>detokenize</source>
        <translation>反词元化</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>KV free</source>
        <translation>KV 空闲</translation>
    </message>
    <message>
        <source>Lab: would fewer bits be faster?</source>
        <translation>实验室：更少的位数会更快吗？</translation>
    </message>
    <message>
        <source>Lab: why does batching help?</source>
        <translation>实验室：批处理为何有用？</translation>
    </message>
    <message>
        <source>Lab: what do blocks save?</source>
        <translation>实验室：分块节省了什么？</translation>
    </message>
    <message>
        <source>Lab: what does the prefix cache find?</source>
        <translation>实验室：前缀缓存能找到什么？</translation>
    </message>
    <message>
        <source>Lab: when do drafts pay?</source>
        <translation>实验室：草稿何时划算？</translation>
    </message>
    <message>
        <source>Lab: which policy answers first?</source>
        <translation>实验室：哪种策略最先回答？</translation>
    </message>
    <message>
        <source>Lab: what does a token cost without the KV cache?</source>
        <translation>实验室：没有 KV 缓存时一个词元的代价？</translation>
    </message>
    <message>
        <source>Lab: what does each optimisation buy?</source>
        <translation>实验室：每项优化带来什么？</translation>
    </message>
    <message>
        <source>Lab: how many requests fit?</source>
        <translation>实验室：能容纳多少请求？</translation>
    </message>
    <message>
        <source>Requests running</source>
        <translation>运行中的请求</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>KV cache in use</source>
        <translation>KV 缓存占用</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 个等待</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Between tokens</source>
        <translation>词元间隔</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>KV blocks</source>
        <translation>KV 块</translation>
    </message>
    <message>
        <source>Prefix hits</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿</translation>
    </message>
</context>
<context>
    <name>ErrorBanner</name>
    <message>
        <source>Close the message</source>
        <translation>关闭消息</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>%1 is not there any more.</source>
        <translation>%1 已不存在。</translation>
    </message>
    <message>
        <source>%1 may not be read by this user.</source>
        <translation>当前用户无权读取 %1。</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2.</source>
        <translation>无法打开 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is a folder; a file is needed.</source>
        <translation>%1 是文件夹；需要的是文件。</translation>
    </message>
    <message>
        <source>%1 cannot be read into memory: %2 bytes (%3).</source>
        <translation>无法将 %1 映射到内存：%2 字节（%3）。</translation>
    </message>
    <message>
        <source>%1 ends too early: tensor %2 needs %4 bytes from byte %5 on, and the data have %3.</source>
        <translation>%1 提前结束：张量 %2 从第 %5 字节起需要 %4 字节，而数据共有 %3 字节。</translation>
    </message>
    <message>
        <source>%1 is no GGUF file: it begins with %2 instead of %3.</source>
        <translation>%1 不是 GGUF 文件：开头是 %2，应为 %3。</translation>
    </message>
    <message>
        <source>%1 has GGUF version %2; versions 2 and 3 can be read.</source>
        <translation>%1 的 GGUF 版本是 %2；可读取版本 2 和 3。</translation>
    </message>
    <message>
        <source>The model&apos;s architecture, &quot;%1&quot;, is none that this version runs.</source>
        <translation>此版本无法运行该模型的架构“%1”。</translation>
    </message>
    <message>
        <source>%1 KV blocks need %2 (%3 bytes), and %4 (%5 bytes) are free beside the weights.</source>
        <translation>%1 个 KV 块需要 %2（%3 字节），除权重外只有 %4（%5 字节）可用。</translation>
    </message>
    <message>
        <source>The model and the KV cache of one sequence of %1 tokens need %2 (%3 bytes); %4 (%5 bytes, %6 % of what is free) may be used.</source>
        <translation>模型和一个 %1 词元序列的 KV 缓存需要 %2（%3 字节）；可用 %4（%5 字节，为空闲内存的 %6 %）。</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens, and the context holds %2.</source>
        <translation>提示词有 %1 个词元，而上下文可容纳 %2 个。</translation>
    </message>
    <message>
        <source>The prompt has %1 tokens, the context holds %2, and one is needed for the answer.</source>
        <translation>提示词有 %1 个词元，上下文可容纳 %2 个，且回答至少需要一个。</translation>
    </message>
    <message>
        <source>Prompt and answer need %1 KV blocks, and the pool has %2.</source>
        <translation>提示词和回答需要 %1 个 KV 块，而池中有 %2 个。</translation>
    </message>
    <message>
        <source>Port %1 on %2 is in use by another program.</source>
        <translation>%2 上的端口 %1 正被其他程序使用。</translation>
    </message>
    <message>
        <source>Cannot listen on %1 port %2: %3.</source>
        <translation>无法在 %1 端口 %2 上监听：%3。</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>未加载模型。</translation>
    </message>
    <message>
        <source>Another model is being loaded.</source>
        <translation>正在加载另一个模型。</translation>
    </message>
    <message>
        <source>Too many requests are being prepared at once.</source>
        <translation>同时准备的请求过多。</translation>
    </message>
    <message>
        <source>The device failed, and the model is being loaded again.</source>
        <translation>设备发生故障，正在重新加载模型。</translation>
    </message>
    <message>
        <source>No CUDA device is installed.</source>
        <translation>未安装 CUDA 设备。</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed: %1 is not there.</source>
        <translation>未安装 NVIDIA 驱动程序：缺少 %1。</translation>
    </message>
    <message>
        <source>Check the path and the permission to read it.</source>
        <translation>请检查路径和读取权限。</translation>
    </message>
    <message>
        <source>Give the path of the file itself.</source>
        <translation>请给出文件本身的路径。</translation>
    </message>
    <message>
        <source>Copy the file to a local disk, or free address space.</source>
        <translation>请将文件复制到本地磁盘，或释放地址空间。</translation>
    </message>
    <message>
        <source>The file is incomplete or damaged: download it again.</source>
        <translation>文件不完整或已损坏：请重新下载。</translation>
    </message>
    <message>
        <source>The file is damaged or was written by a faulty program: download or convert it again.</source>
        <translation>文件已损坏或由有缺陷的程序写成：请重新下载或转换。</translation>
    </message>
    <message>
        <source>Choose a GGUF file.</source>
        <translation>请选择一个 GGUF 文件。</translation>
    </message>
    <message>
        <source>Choose a shorter context, a smaller KV type (int8) or a smaller model.</source>
        <translation>请选择更短的上下文、更小的 KV 类型（int8）或更小的模型。</translation>
    </message>
    <message>
        <source>Shorten the conversation, or load the model with a longer context.</source>
        <translation>请缩短对话，或以更长的上下文加载模型。</translation>
    </message>
    <message>
        <source>Shorten the prompt, or load the model with a longer context.</source>
        <translation>请缩短提示词，或以更长的上下文加载模型。</translation>
    </message>
    <message>
        <source>Ask for a shorter answer, shorten the prompt, or load the model with more blocks.</source>
        <translation>请要求更短的回答、缩短提示词，或以更多的块加载模型。</translation>
    </message>
    <message>
        <source>Choose another port, for example %1.</source>
        <translation>请选择其他端口，例如 %1。</translation>
    </message>
    <message>
        <source>Choose another address or port.</source>
        <translation>请选择其他地址或端口。</translation>
    </message>
    <message>
        <source>Load a model first.</source>
        <translation>请先加载模型。</translation>
    </message>
    <message>
        <source>Wait for it, or cancel it.</source>
        <translation>请等待，或取消它。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>Send the request again in a moment.</source>
        <translation>请稍后重新发送请求。</translation>
    </message>
    <message>
        <source>Use the CPU.</source>
        <translation>请使用 CPU。</translation>
    </message>
    <message>
        <source>Install the driver, or use the CPU.</source>
        <translation>请安装驱动程序，或使用 CPU。</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>无法读取 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is a device or a pipe; a regular file is needed.</source>
        <translation>%1 是设备或管道；需要的是普通文件。</translation>
    </message>
    <message>
        <source>%1 cannot be created: %2.</source>
        <translation>无法创建 %1：%2。</translation>
    </message>
    <message>
        <source>There is no space for %1: %2.</source>
        <translation>没有空间存放 %1：%2。</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>%1 cannot be written to the disk: %2.</source>
        <translation>无法将 %1 写入磁盘：%2。</translation>
    </message>
    <message>
        <source>%1 is complete and cannot be renamed: %2.</source>
        <translation>%1 已写完，但无法重命名：%2。</translation>
    </message>
    <message>
        <source>%1 ends too early: at byte %4 there are %3 bytes, and %5 are needed.</source>
        <translation>%1 提前结束：从第 %4 字节起只有 %3 字节，需要 %5 字节。</translation>
    </message>
    <message>
        <source>%1 is damaged (%2).</source>
        <translation>%1 已损坏（%2）。</translation>
    </message>
    <message>
        <source>%1 was made for big-endian machines; a little-endian file is needed.</source>
        <translation>%1 是为大端机器制作的；需要小端文件。</translation>
    </message>
    <message>
        <source>%1 is part %2 of %3; the first part is needed.</source>
        <translation>%1 是 %3 个部分中的第 %2 部分；需要第一部分。</translation>
    </message>
    <message>
        <source>The parts of %1 do not belong together (%2).</source>
        <translation>%1 的各部分不属于同一模型（%2）。</translation>
    </message>
    <message>
        <source>%1 holds &quot;%2&quot; twice.</source>
        <translation>%1 中“%2”出现了两次。</translation>
    </message>
    <message>
        <source>%1 lacks the entry &quot;%2&quot;.</source>
        <translation>%1 缺少条目“%2”。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is of the wrong type: %3.</source>
        <translation>%1 的条目“%2”类型错误：%3。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is %3; at most %4 is possible.</source>
        <translation>%1 的条目“%2”为 %3；最多可为 %4。</translation>
    </message>
    <message>
        <source>This file holds the part of a model that sees pictures (mmproj), not the model.</source>
        <translation>此文件包含模型中处理图像的部分（mmproj），而不是模型本身。</translation>
    </message>
    <message>
        <source>%1 holds a vocabulary and no weights.</source>
        <translation>%1 只有词表，没有权重。</translation>
    </message>
    <message>
        <source>%1 holds no .safetensors file.</source>
        <translation>%1 中没有 .safetensors 文件。</translation>
    </message>
    <message>
        <source>%1 describes no model that can be built (%2).</source>
        <translation>%1 描述的模型无法构建（%2）。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is no finite number.</source>
        <translation>%1 的条目“%2”不是有限数。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 differs from layer to layer (%3 and %4).</source>
        <translation>%1 的条目“%2”各层不同（%3 和 %4）。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is %3; %4 to %5 is possible.</source>
        <translation>%1 的条目“%2”为 %3；可为 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1 scales its positions by &quot;%2&quot;, which is not known.</source>
        <translation>%1 的位置缩放方式“%2”未知。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 asks for something that this version does not compute.</source>
        <translation>%1 的条目“%2”要求此版本不支持的计算。</translation>
    </message>
    <message>
        <source>%1 lacks the tensor %2.</source>
        <translation>%1 缺少张量 %2。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has type number %3, which this version cannot compute.</source>
        <translation>%1 的张量 %2 类型编号为 %3，此版本无法计算。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has %3 values; %4 are needed.</source>
        <translation>%1 的张量 %2 有 %3 个值；需要 %4 个。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 is %3 by %4; %5 by %6 is needed.</source>
        <translation>%1 的张量 %2 为 %3 × %4；需要 %5 × %6。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has no place in the architecture %3 as this version knows it.</source>
        <translation>在此版本所知的架构 %3 中，%1 的张量 %2 没有位置。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has no data.</source>
        <translation>%1 的张量 %2 没有数据。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 cannot be used: %3.</source>
        <translation>无法使用 %1 的张量 %2：%3。</translation>
    </message>
    <message>
        <source>%1 has the tokenizer &quot;%2&quot;; gpt2, llama, gemma4, bert and t5 can be read.</source>
        <translation>%1 的分词器为“%2”；可读取 gpt2、llama、gemma4、bert 和 t5。</translation>
    </message>
    <message>
        <source>%1 cuts its text by &quot;%2&quot;, which this version does not know.</source>
        <translation>%1 的预分词方式“%2”不为此版本所知。</translation>
    </message>
    <message>
        <source>The vocabulary of %1 is incomplete (%2).</source>
        <translation>%1 的词表不完整（%2）。</translation>
    </message>
    <message>
        <source>The draft model has another vocabulary: token %1 is %2 in the model and %3 in the draft.</source>
        <translation>草稿模型的词表不同：词元 %1 在模型中是 %2，在草稿模型中是 %3。</translation>
    </message>
    <message>
        <source>The draft model has %1 tokens, and the model %2.</source>
        <translation>草稿模型有 %1 个词元，模型有 %2 个。</translation>
    </message>
    <message>
        <source>The draft model has no vocabulary that could be compared with the model&apos;s.</source>
        <translation>草稿模型没有词表，无法与模型的词表比较。</translation>
    </message>
    <message>
        <source>The model has no vocabulary that could be compared with the draft model&apos;s.</source>
        <translation>模型没有词表，无法与草稿模型的词表比较。</translation>
    </message>
    <message>
        <source>Loading %1 was cancelled.</source>
        <translation>已取消加载 %1。</translation>
    </message>
    <message>
        <source>Not one of %1 layers fits the GPU: %2.</source>
        <translation>%1 层中没有一层放得进 GPU：%2。</translation>
    </message>
    <message>
        <source>The system gave no %1 bytes of memory.</source>
        <translation>系统未能提供 %1 字节的内存。</translation>
    </message>
    <message>
        <source>The workspace of a step needs %1 bytes, which the system did not give.</source>
        <translation>一步的工作区需要 %1 字节，系统未能提供。</translation>
    </message>
    <message>
        <source>The GPU lacks memory: %2 MiB are needed at once, and %3 MiB are free.</source>
        <translation>GPU 显存不足：一次需要 %2 MiB，而空闲 %3 MiB。</translation>
    </message>
    <message>
        <source>%1 KV blocks are needed, and %2 of %3 are free.</source>
        <translation>需要 %1 个 KV 块，而 %3 个中有 %2 个空闲。</translation>
    </message>
    <message>
        <source>%1 sequences of %2 tokens need %3 KV blocks, and there are %4.</source>
        <translation>%1 个长 %2 词元的序列需要 %3 个 KV 块，而共有 %4 个。</translation>
    </message>
    <message>
        <source>There is no device &quot;%1&quot;.</source>
        <translation>没有设备“%1”。</translation>
    </message>
    <message>
        <source>Device %1 cannot be used: %2.</source>
        <translation>无法使用设备 %1：%2。</translation>
    </message>
    <message>
        <source>Device %1 is not there; CUDA devices found: %2.</source>
        <translation>没有设备 %1；找到的 CUDA 设备数：%2。</translation>
    </message>
    <message>
        <source>The plugin lib%1.so is not installed.</source>
        <translation>未安装插件 lib%1.so。</translation>
    </message>
    <message>
        <source>%1 is cut short: it has %2 of at least %3 bytes.</source>
        <translation>%1 不完整：至少应有 %3 字节，实际 %2 字节。</translation>
    </message>
    <message>
        <source>%1 has interface version %2; this version needs %3.</source>
        <translation>%1 的接口版本为 %2；此版本需要 %3。</translation>
    </message>
    <message>
        <source>%1 is of build %2; this is build %3.</source>
        <translation>%1 属于构建 %2；当前构建为 %3。</translation>
    </message>
    <message>
        <source>%1 does not load: %2.</source>
        <translation>无法加载 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is no Vitrine plugin: %2.</source>
        <translation>%1 不是 Vitrine 插件：%2。</translation>
    </message>
    <message>
        <source>%1 gave no entry.</source>
        <translation>%1 未提供入口。</translation>
    </message>
    <message>
        <source>%1 CPU threads could not be started: %2.</source>
        <translation>无法启动 %1 个 CPU 线程：%2。</translation>
    </message>
    <message>
        <source>The instruction set %2 is chosen, which this CPU (%3) lacks.</source>
        <translation>所选指令集 %2 不受此 CPU（%3）支持。</translation>
    </message>
    <message>
        <source>%1 layers are wanted on a GPU, and the device is %2.</source>
        <translation>希望将 %1 层放在 GPU 上，而设备是 %2。</translation>
    </message>
    <message>
        <source>%1 layers are wanted on a GPU, and the device is %2: %3.</source>
        <translation>希望将 %1 层放在 GPU 上，而设备是 %2：%3。</translation>
    </message>
    <message>
        <source>The device %1 (%2) cannot run &quot;%3&quot;: %4.</source>
        <translation>设备 %1（%2）无法执行“%3”：%4。</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed.</source>
        <translation>未安装 NVIDIA 驱动程序。</translation>
    </message>
    <message>
        <source>The NVIDIA driver supports CUDA %1; this version needs %2.</source>
        <translation>NVIDIA 驱动程序支持 CUDA %1；此版本需要 %2。</translation>
    </message>
    <message>
        <source>The NVIDIA driver finds no GPU.</source>
        <translation>NVIDIA 驱动程序未找到 GPU。</translation>
    </message>
    <message>
        <source>The NVIDIA driver answers: %1.</source>
        <translation>NVIDIA 驱动程序的回答：%1。</translation>
    </message>
    <message>
        <source>%1 has compute capability %2; %3 is needed.</source>
        <translation>%1 的计算能力为 %2；需要 %3。</translation>
    </message>
    <message>
        <source>%1 has compute capability %2, for which this version has no code.</source>
        <translation>%1 的计算能力为 %2，此版本没有对应的代码。</translation>
    </message>
    <message>
        <source>The GPU failed (%1): %2.</source>
        <translation>GPU 出错（%1）：%2。</translation>
    </message>
    <message>
        <source>The prompt has no tokens.</source>
        <translation>提示词没有词元。</translation>
    </message>
    <message>
        <source>The engine has no room for another request.</source>
        <translation>引擎没有空间接收更多请求。</translation>
    </message>
    <message>
        <source>The engine is stopping.</source>
        <translation>引擎正在停止。</translation>
    </message>
    <message>
        <source>This model is an encoder: it gives embeddings and no text.</source>
        <translation>此模型是编码器：只给出嵌入，不生成文本。</translation>
    </message>
    <message>
        <source>This model has no vocabulary, so it takes and gives token numbers only.</source>
        <translation>此模型没有词表，只能收发词元编号。</translation>
    </message>
    <message>
        <source>This model has no vocabulary, so no grammar can be enforced.</source>
        <translation>此模型没有词表，无法强制语法。</translation>
    </message>
    <message>
        <source>This model has no tokens for filling a gap.</source>
        <translation>此模型没有用于填充中间内容的词元。</translation>
    </message>
    <message>
        <source>No token is allowed at this position.</source>
        <translation>此位置不允许任何词元。</translation>
    </message>
    <message>
        <source>The grammar and the token biases together allow no token at this position.</source>
        <translation>语法与词元偏置合在一起，在此位置不允许任何词元。</translation>
    </message>
    <message>
        <source>The chat template fails in line %1, column %2: %3.</source>
        <translation>聊天模板在第 %1 行第 %2 列出错：%3。</translation>
    </message>
    <message>
        <source>The chat template has %1 bytes; at most %2 are read.</source>
        <translation>聊天模板有 %1 字节；最多读取 %2 字节。</translation>
    </message>
    <message>
        <source>The chat template found no memory for its work.</source>
        <translation>聊天模板没有可用内存。</translation>
    </message>
    <message>
        <source>The run was stopped.</source>
        <translation>运行已停止。</translation>
    </message>
    <message>
        <source>The text has %1 tokens; one window needs %2.</source>
        <translation>文本有 %1 个词元；一个窗口需要 %2 个。</translation>
    </message>
    <message>
        <source>%1 has %2 tokens, and %3 has %4.</source>
        <translation>%1 有 %2 个词元，%3 有 %4 个。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no quantization that this version can write.</source>
        <translation>“%1”不是此版本能写出的量化类型。</translation>
    </message>
    <message>
        <source>Quantizing %1 was cancelled.</source>
        <translation>已取消量化 %1。</translation>
    </message>
    <message>
        <source>The server is already running on port %1.</source>
        <translation>服务器已在端口 %1 上运行。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no IP address.</source>
        <translation>“%1”不是 IP 地址。</translation>
    </message>
    <message>
        <source>%1 can be reached from other computers, and no API key is set.</source>
        <translation>其他计算机可以访问 %1，但未设置 API 密钥。</translation>
    </message>
    <message>
        <source>%1 is no port.</source>
        <translation>%1 不是端口。</translation>
    </message>
    <message>
        <source>Check the disk.</source>
        <translation>请检查磁盘。</translation>
    </message>
    <message>
        <source>Free %1 bytes on this disk, or choose another folder.</source>
        <translation>请在此磁盘上腾出 %1 字节，或选择其他文件夹。</translation>
    </message>
    <message>
        <source>Check that the folder exists and may be written.</source>
        <translation>请检查文件夹是否存在且可写。</translation>
    </message>
    <message>
        <source>Choose a GGUF file of the model.</source>
        <translation>请选择该模型的 GGUF 文件。</translation>
    </message>
    <message>
        <source>Choose a .gguf file, or a folder with config.json and *.safetensors.</source>
        <translation>请选择 .gguf 文件，或含有 config.json 和 *.safetensors 的文件夹。</translation>
    </message>
    <message>
        <source>Convert the model for little-endian machines.</source>
        <translation>请将模型转换为小端格式。</translation>
    </message>
    <message>
        <source>Convert the model with a current program.</source>
        <translation>请用新版程序转换模型。</translation>
    </message>
    <message>
        <source>Open the file whose name ends in &quot;-00001-of-%1.gguf&quot;.</source>
        <translation>请打开文件名以“-00001-of-%1.gguf”结尾的文件。</translation>
    </message>
    <message>
        <source>Put all parts of the model, from one download, into one folder.</source>
        <translation>请将同一次下载的模型各部分放在同一文件夹中。</translation>
    </message>
    <message>
        <source>Fetch the model again.</source>
        <translation>请重新下载模型。</translation>
    </message>
    <message>
        <source>Use a file from a complete conversion of the model.</source>
        <translation>请使用由完整转换得到的模型文件。</translation>
    </message>
    <message>
        <source>Known: %1.</source>
        <translation>已知：%1。</translation>
    </message>
    <message>
        <source>The nearest is &quot;%1&quot;. Known: %2.</source>
        <translation>最接近的是“%1”。已知：%2。</translation>
    </message>
    <message>
        <source>This version reads text only; choose the model&apos;s own file.</source>
        <translation>此版本只读取文本；请选择模型本身的文件。</translation>
    </message>
    <message>
        <source>Choose the whole model; this file only tokenizes.</source>
        <translation>请选择完整模型；此文件只能分词。</translation>
    </message>
    <message>
        <source>Choose a whole model for drafting.</source>
        <translation>请选择完整的模型作为草稿模型。</translation>
    </message>
    <message>
        <source>The file holds a vocabulary only; choose the whole model.</source>
        <translation>该文件只有词表；请选择完整模型。</translation>
    </message>
    <message>
        <source>The file is damaged; download it again.</source>
        <translation>文件已损坏；请重新下载。</translation>
    </message>
    <message>
        <source>The file is incomplete or no text model; download it again.</source>
        <translation>文件不完整或不是文本模型；请重新下载。</translation>
    </message>
    <message>
        <source>The file is damaged or of a kind that this version does not know: choose another file.</source>
        <translation>文件已损坏，或属于此版本未知的类型：请选择其他文件。</translation>
    </message>
    <message>
        <source>Choose a model whose layers are alike.</source>
        <translation>请选择各层相同的模型。</translation>
    </message>
    <message>
        <source>Choose a model that scales by none, linear, yarn or longrope.</source>
        <translation>请选择缩放方式为 none、linear、yarn 或 longrope 的模型。</translation>
    </message>
    <message>
        <source>Choose another model, or a newer version of this program.</source>
        <translation>请选择其他模型，或使用此程序的新版本。</translation>
    </message>
    <message>
        <source>Choose another file of the model, or a newer version of this program.</source>
        <translation>请选择该模型的其他文件，或使用此程序的新版本。</translation>
    </message>
    <message>
        <source>Choose a file of a common quantization such as Q4_K_M, Q8_0 or F16.</source>
        <translation>请选择常见量化类型的文件，例如 Q4_K_M、Q8_0 或 F16。</translation>
    </message>
    <message>
        <source>Choose a model with a byte-pair, SentencePiece, unigram or WordPiece tokenizer.</source>
        <translation>请选择使用字节对、SentencePiece、unigram 或 WordPiece 分词器的模型。</translation>
    </message>
    <message>
        <source>Choose a draft model of the same family, or n-grams, which need no model.</source>
        <translation>请选择同系列的草稿模型，或不需要模型的 n-gram。</translation>
    </message>
    <message>
        <source>Choose the device &quot;automatic&quot; or &quot;CPU&quot;, or a shorter context.</source>
        <translation>请将设备设为“自动”或“CPU”，或使用更短的上下文。</translation>
    </message>
    <message>
        <source>Close other programs, or choose a smaller model or context.</source>
        <translation>请关闭其他程序，或选择更小的模型或更短的上下文。</translation>
    </message>
    <message>
        <source>Lower the number of tokens per step, or the context.</source>
        <translation>请减少每步词元数或缩短上下文。</translation>
    </message>
    <message>
        <source>Take a smaller context or model, or close other programs on the GPU.</source>
        <translation>请使用更小的上下文或模型，或关闭占用 GPU 的其他程序。</translation>
    </message>
    <message>
        <source>Close other programs on the GPU, or take a smaller context.</source>
        <translation>请关闭占用 GPU 的其他程序，或使用更小的上下文。</translation>
    </message>
    <message>
        <source>Load the model again; if it stays, run on the CPU.</source>
        <translation>请重新加载模型；若仍失败，请使用 CPU。</translation>
    </message>
    <message>
        <source>Wait for another request to end, or load the model with more blocks.</source>
        <translation>请等待其他请求结束，或以更多的块加载模型。</translation>
    </message>
    <message>
        <source>Load the model with more blocks.</source>
        <translation>请以更多的块加载模型。</translation>
    </message>
    <message>
        <source>Choose auto, cpu, cuda or cuda:N.</source>
        <translation>请选择 auto、cpu、cuda 或 cuda:N。</translation>
    </message>
    <message>
        <source>Choose cuda:0 to cuda:%1.</source>
        <translation>请选择 cuda:0 到 cuda:%1。</translation>
    </message>
    <message>
        <source>Use the CPU, or install the plugin beside the program.</source>
        <translation>请使用 CPU，或将插件安装在程序旁边。</translation>
    </message>
    <message>
        <source>Install the plugin again.</source>
        <translation>请重新安装插件。</translation>
    </message>
    <message>
        <source>Install the plugin that came with this version of Vitrine.</source>
        <translation>请安装随此版本 Vitrine 提供的插件。</translation>
    </message>
    <message>
        <source>Install the GPU driver and its libraries, or use the CPU.</source>
        <translation>请安装 GPU 驱动程序及其库，或使用 CPU。</translation>
    </message>
    <message>
        <source>Remove the file, or install the plugin that came with this version.</source>
        <translation>请删除该文件，或安装随此版本提供的插件。</translation>
    </message>
    <message>
        <source>Choose fewer threads.</source>
        <translation>请选择更少的线程。</translation>
    </message>
    <message>
        <source>Choose a narrower one, avx2 or scalar, or leave the choice to the program.</source>
        <translation>请选择更窄的 avx2 或 scalar，或由程序选择。</translation>
    </message>
    <message>
        <source>Leave the number of GPU layers to the program, or choose a GPU as device.</source>
        <translation>请让程序决定 GPU 层数，或选择 GPU 作为设备。</translation>
    </message>
    <message>
        <source>Choose another device, or a file in another weight format.</source>
        <translation>请选择其他设备，或其他权重格式的文件。</translation>
    </message>
    <message>
        <source>Choose the device &quot;automatic&quot; or &quot;CPU&quot;: the CPU runs this model.</source>
        <translation>请将设备设为“自动”或“CPU”：CPU 可运行此模型。</translation>
    </message>
    <message>
        <source>Install the driver, or run on the CPU.</source>
        <translation>请安装驱动程序，或使用 CPU。</translation>
    </message>
    <message>
        <source>Update the driver, or run on the CPU.</source>
        <translation>请更新驱动程序，或使用 CPU。</translation>
    </message>
    <message>
        <source>Check that the GPU is visible to this process (CUDA_VISIBLE_DEVICES), or run on the CPU.</source>
        <translation>请检查此进程是否能看到 GPU（CUDA_VISIBLE_DEVICES），或使用 CPU。</translation>
    </message>
    <message>
        <source>Restart the driver, or run on the CPU.</source>
        <translation>请重启驱动程序，或使用 CPU。</translation>
    </message>
    <message>
        <source>Run on the CPU.</source>
        <translation>请使用 CPU。</translation>
    </message>
    <message>
        <source>Build with VITRINE_CUDA_ARCHITECTURES=%1, or run on the CPU.</source>
        <translation>请以 VITRINE_CUDA_ARCHITECTURES=%1 构建，或使用 CPU。</translation>
    </message>
    <message>
        <source>Send at least one token.</source>
        <translation>请至少发送一个词元。</translation>
    </message>
    <message>
        <source>Send at least one token of text.</source>
        <translation>请至少发送一个词元的文本。</translation>
    </message>
    <message>
        <source>Ask /v1/embeddings, or load a model that generates.</source>
        <translation>请使用 /v1/embeddings，或加载能生成文本的模型。</translation>
    </message>
    <message>
        <source>Send token numbers, or choose a model with a tokenizer.</source>
        <translation>请发送词元编号，或选择带分词器的模型。</translation>
    </message>
    <message>
        <source>Leave the suffix out, or load a model made for code completion.</source>
        <translation>请去掉后缀，或加载用于代码补全的模型。</translation>
    </message>
    <message>
        <source>Loosen the token biases or the least number of tokens.</source>
        <translation>请放宽词元偏置或最少词元数。</translation>
    </message>
    <message>
        <source>Loosen the grammar or the token biases; a grammar must not nest without end.</source>
        <translation>请放宽语法或词元偏置；语法不得无限嵌套。</translation>
    </message>
    <message>
        <source>Change the messages to what this template takes, or choose another chat template.</source>
        <translation>请按此模板的要求修改消息，或选择其他聊天模板。</translation>
    </message>
    <message>
        <source>Choose another chat template.</source>
        <translation>请选择其他聊天模板。</translation>
    </message>
    <message>
        <source>Shorten the conversation.</source>
        <translation>请缩短对话。</translation>
    </message>
    <message>
        <source>Give a longer text.</source>
        <translation>请提供更长的文本。</translation>
    </message>
    <message>
        <source>Compare a model with the file it was made from.</source>
        <translation>请将模型与其来源文件比较。</translation>
    </message>
    <message>
        <source>Nothing was written.</source>
        <translation>未写入任何内容。</translation>
    </message>
    <message>
        <source>Stop it first.</source>
        <translation>请先停止它。</translation>
    </message>
    <message>
        <source>Use 127.0.0.1 or an address of this computer.</source>
        <translation>请使用 127.0.0.1 或本机地址。</translation>
    </message>
    <message>
        <source>Set a key, or listen on 127.0.0.1.</source>
        <translation>请设置密钥，或在 127.0.0.1 上监听。</translation>
    </message>
    <message>
        <source>Use a port from 1 to 65535.</source>
        <translation>请使用 1 到 65535 的端口。</translation>
    </message>
    <message>
        <source>Choose the CPU as device.</source>
        <translation>请选择 CPU 作为设备。</translation>
    </message>
    <message>
        <source>Choose 0 to use every physical core.</source>
        <translation>请选择 0 以使用所有物理核心。</translation>
    </message>
    <message>
        <source>Choose one of these names, or leave the choice to the program.</source>
        <translation>请选择其中一个名称，或由程序选择。</translation>
    </message>
    <message>
        <source>Run the whole model on one device.</source>
        <translation>请在一个设备上运行整个模型。</translation>
    </message>
    <message>
        <source>Choose 1 to %1 layers.</source>
        <translation>请选择 1 到 %1 层。</translation>
    </message>
    <message>
        <source>Choose a device from the list.</source>
        <translation>请从列表中选择一个设备。</translation>
    </message>
    <message>
        <source>Check that libcublasLt.so.13 is installed.</source>
        <translation>请检查是否安装了 libcublasLt.so.13。</translation>
    </message>
    <message>
        <source>The %1 layers on %2 do not fit: %3.</source>
        <translation>%2 上的 %1 层放不下：%3。</translation>
    </message>
    <message>
        <source>%1 CPU threads are wanted; 0 (all cores) to %2 is possible.</source>
        <translation>要求 %1 个 CPU 线程；可为 0（所有核心）到 %2。</translation>
    </message>
    <message>
        <source>The instruction set &quot;%2&quot; is not known; scalar, avx2, avxvnni, avx512 and amx are.</source>
        <translation>指令集“%2”未知；已知的有 scalar、avx2、avxvnni、avx512 和 amx。</translation>
    </message>
    <message>
        <source>The GPU does not run this model: %1.</source>
        <translation>GPU 无法运行此模型：%1。</translation>
    </message>
    <message>
        <source>The GPU failed (%1), and less than %2 s before it had failed too.</source>
        <translation>GPU 出错（%1），且不到 %2 秒前也出过错。</translation>
    </message>
    <message>
        <source>The GPU failed (%1) and could not be started again (%2).</source>
        <translation>GPU 出错（%1），且无法重新启动（%2）。</translation>
    </message>
    <message>
        <source>This architecture cannot be shared by two devices: between its layers %1 and %2 lie %3 activations, and one is needed.</source>
        <translation>此架构无法由两个设备分担：其第 %1 层与第 %2 层之间有 %3 个激活，而只能有一个。</translation>
    </message>
    <message>
        <source>A model of %1 layers cannot be cut behind layer %2.</source>
        <translation>有 %1 层的模型无法在第 %2 层之后切分。</translation>
    </message>
    <message>
        <source>Device %1 does not show the inputs of its matrices.</source>
        <translation>设备 %1 不提供其矩阵的输入。</translation>
    </message>
    <message>
        <source>There is no usable GPU %1.</source>
        <translation>没有可用的 GPU %1。</translation>
    </message>
    <message>
        <source>The cuBLAS library did not start.</source>
        <translation>cuBLAS 库未能启动。</translation>
    </message>
    <message>
        <source>Choose another value.</source>
        <translation>请选择其他值。</translation>
    </message>
    <message>
        <source>Choose a value inside the range.</source>
        <translation>请选择范围内的值。</translation>
    </message>
    <message>
        <source>Choose times above 0.</source>
        <translation>请选择大于 0 的时间。</translation>
    </message>
    <message>
        <source>Choose n-grams or a draft model.</source>
        <translation>请选择 n-gram 或草稿模型。</translation>
    </message>
    <message>
        <source>Choose 16 or 32.</source>
        <translation>请选择 16 或 32。</translation>
    </message>
    <message>
        <source>Choose a number above 0 and at most 1.</source>
        <translation>请选择大于 0 且不超过 1 的数。</translation>
    </message>
    <message>
        <source>Raise the value that is too small.</source>
        <translation>请增大过小的值。</translation>
    </message>
    <message>
        <source>Read at least %1 tokens at a time.</source>
        <translation>请每次至少读取 %1 个词元。</translation>
    </message>
    <message>
        <source>Switch the prefix cache off.</source>
        <translation>请关闭前缀缓存。</translation>
    </message>
    <message>
        <source>Take %1 tokens per step, or fewer requests at once.</source>
        <translation>请将每步词元数设为 %1，或减少同时的请求数。</translation>
    </message>
    <message>
        <source>Remove the entry.</source>
        <translation>请删除该条目。</translation>
    </message>
    <message>
        <source>Choose a value from -100 to 100.</source>
        <translation>请选择 -100 到 100 的值。</translation>
    </message>
    <message>
        <source>The setting &quot;%1&quot; is %2; %3 to %4 is possible.</source>
        <translation>设置“%1”为 %2；可为 %3 到 %4。</translation>
    </message>
    <message>
        <source>The setting &quot;%1&quot; is %2; at least %3 is possible.</source>
        <translation>设置“%1”为 %2；至少应为 %3。</translation>
    </message>
    <message>
        <source>The objectives are %1 s to the first token and %2 s a token; both must be above 0.</source>
        <translation>目标为到首个词元 %1 秒、每个词元 %2 秒；两者都必须大于 0。</translation>
    </message>
    <message>
        <source>%1 drafts a step are wanted, and nothing is chosen that drafts.</source>
        <translation>要求每步 %1 个草稿，但未选择起草方式。</translation>
    </message>
    <message>
        <source>A KV block cannot hold %1 tokens.</source>
        <translation>KV 块的大小不能是 %1 个词元。</translation>
    </message>
    <message>
        <source>The share of memory is %1; above 0 and at most 1 is possible.</source>
        <translation>内存占比为 %1；应大于 0 且不超过 1。</translation>
    </message>
    <message>
        <source>Requests at once (%1), drafts a step (%2) and context (%3) must be at least 1, 0 and 1.</source>
        <translation>同时的请求数（%1）、每步草稿数（%2）和上下文（%3）至少应为 1、0 和 1。</translation>
    </message>
    <message>
        <source>Prompts are read %1 tokens at a time, less than the %2 of one KV block.</source>
        <translation>提示词每次读取 %1 个词元，少于一个 KV 块的 %2 个。</translation>
    </message>
    <message>
        <source>The prefix cache needs a KV cache that is kept, and kept in blocks; one of both is off.</source>
        <translation>前缀缓存需要保留并按块存放的 KV 缓存；其中之一已关闭。</translation>
    </message>
    <message>
        <source>A step takes %1 tokens, and %2 sequences with up to %3 drafts each need %4.</source>
        <translation>一步处理 %1 个词元，而 %2 个各带最多 %3 个草稿的序列需要 %4 个。</translation>
    </message>
    <message>
        <source>A step takes %1 tokens, and %2 sequences with up to %3 drafts each need %4, since prompts are read as a whole.</source>
        <translation>一步处理 %1 个词元，而 %2 个各带最多 %3 个草稿的序列需要 %4 个，因为提示词整段读取。</translation>
    </message>
    <message>
        <source>A token bias names token %1; the vocabulary has the numbers 0 to %2.</source>
        <translation>词元偏置指定了词元 %1；词表的编号为 0 到 %2。</translation>
    </message>
    <message>
        <source>The bias of token %1 is no number.</source>
        <translation>词元 %1 的偏置不是数字。</translation>
    </message>
    <message>
        <source>Check that the folder exists and may be written, and that the disk has room.</source>
        <translation>请检查文件夹是否存在且可写，以及磁盘是否有空间。</translation>
    </message>
    <message>
        <source>Choose a GGUF file of the model. %1.</source>
        <translation>请选择该模型的 GGUF 文件。%1。</translation>
    </message>
    <message>
        <source>This version reads folders of text models only; choose a GGUF file of the language model.</source>
        <translation>此版本只读取文本模型的文件夹；请选择语言模型的 GGUF 文件。</translation>
    </message>
    <message>
        <source>Choose a GGUF file of the model, or download this one again.</source>
        <translation>请选择该模型的 GGUF 文件，或重新下载。</translation>
    </message>
    <message>
        <source>Choose a model in F32, F16 or BF16, or a GGUF file.</source>
        <translation>请选择 F32、F16 或 BF16 的模型，或 GGUF 文件。</translation>
    </message>
    <message>
        <source>Download a newer conversion of the model.</source>
        <translation>请下载该模型较新的转换版本。</translation>
    </message>
    <message>
        <source>Choose a model that pools by mean, first or last token.</source>
        <translation>请选择按平均、首词元或末词元池化的模型。</translation>
    </message>
    <message>
        <source>Choose a model that uses 1 (softmax) or 2 (sigmoid).</source>
        <translation>请选择使用 1（softmax）或 2（sigmoid）的模型。</translation>
    </message>
    <message>
        <source>Choose a model in which both are equal.</source>
        <translation>请选择两者相同的模型。</translation>
    </message>
    <message>
        <source>Choose the number of KV blocks yourself.</source>
        <translation>请自行选择 KV 块的数量。</translation>
    </message>
    <message>
        <source>Choose a shorter text.</source>
        <translation>请使用更短的文本。</translation>
    </message>
    <message>
        <source>Report this with the name of the model.</source>
        <translation>请附上模型名称报告此问题。</translation>
    </message>
    <message>
        <source>Close other programs.</source>
        <translation>请关闭其他程序。</translation>
    </message>
    <message>
        <source>Choose f32, f16, bf16, q8_0, q4_0, q4_1, q5_0, q5_1, q2_k, q3_k, q4_k, q5_k, q6_k, iq4_nl, iq4_xs or mxfp4.</source>
        <translation>请选择 f32、f16、bf16、q8_0、q4_0、q4_1、q5_0、q5_1、q2_k、q3_k、q4_k、q5_k、q6_k、iq4_nl、iq4_xs 或 mxfp4。</translation>
    </message>
    <message>
        <source>Choose a type from the list.</source>
        <translation>请从列表中选择类型。</translation>
    </message>
    <message>
        <source>Choose another type.</source>
        <translation>请选择其他类型。</translation>
    </message>
    <message>
        <source>The file is damaged; if not, choose bf16.</source>
        <translation>文件已损坏；若未损坏，请选择 bf16。</translation>
    </message>
    <message>
        <source>Start from a file of a common type such as F16 or Q8_0.</source>
        <translation>请从 F16 或 Q8_0 等常见类型的文件开始。</translation>
    </message>
    <message>
        <source>Make the importance matrix again.</source>
        <translation>请重新生成重要性矩阵。</translation>
    </message>
    <message>
        <source>Choose an importance matrix of this model.</source>
        <translation>请选择此模型的重要性矩阵。</translation>
    </message>
    <message>
        <source>Choose a longer calibration text, or a method without one.</source>
        <translation>请使用更长的校准文本，或不需要文本的方法。</translation>
    </message>
    <message>
        <source>Choose a method without a calibration text.</source>
        <translation>请选择不需要校准文本的方法。</translation>
    </message>
    <message>
        <source>Choose 64 or 32, or leave the choice to the program.</source>
        <translation>请选择 64 或 32，或由程序选择。</translation>
    </message>
    <message>
        <source>Choose a GGUF type instead.</source>
        <translation>请改选 GGUF 类型。</translation>
    </message>
    <message>
        <source>Choose a GGUF type, or start from the model&apos;s own folder.</source>
        <translation>请选择 GGUF 类型，或从模型自己的文件夹开始。</translation>
    </message>
    <message>
        <source>Choose a GGUF type, or start from the model&apos;s own folder. %1.</source>
        <translation>请选择 GGUF 类型，或从模型自己的文件夹开始。%1。</translation>
    </message>
    <message>
        <source>Start from the model&apos;s own folder.</source>
        <translation>请从模型自己的文件夹开始。</translation>
    </message>
    <message>
        <source>Choose a folder that does not exist yet.</source>
        <translation>请选择尚不存在的文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be copied: %2.</source>
        <translation>无法复制 %1：%2。</translation>
    </message>
    <message>
        <source>%1 is missing.</source>
        <translation>缺少 %1。</translation>
    </message>
    <message>
        <source>%1: %2 is there, and %3 is needed.</source>
        <translation>%1：实际为 %2，需要 %3。</translation>
    </message>
    <message>
        <source>%1: %2 is there, and at most %3 is possible.</source>
        <translation>%1：实际为 %2，最多可为 %3。</translation>
    </message>
    <message>
        <source>%1: %2 is there, and %3 to %4 is possible.</source>
        <translation>%1：实际为 %2，可为 %3 到 %4。</translation>
    </message>
    <message>
        <source>%1: %2 is there, and a multiple of %3 is needed.</source>
        <translation>%1：实际为 %2，需要 %3 的倍数。</translation>
    </message>
    <message>
        <source>%1: %2 is there, and a power of two up to %3 is needed.</source>
        <translation>%1：实际为 %2，需要不超过 %3 的 2 的幂。</translation>
    </message>
    <message>
        <source>%1 is there twice.</source>
        <translation>%1 出现了两次。</translation>
    </message>
    <message>
        <source>The name of %1 is empty or there twice.</source>
        <translation>%1 的名称为空或重复。</translation>
    </message>
    <message>
        <source>%1 is a list of lists; a list of plain values is needed.</source>
        <translation>%1 是列表的列表；需要由普通值组成的列表。</translation>
    </message>
    <message>
        <source>%1 begins at byte %2 inside another tensor; at least %3 is needed.</source>
        <translation>%1 从第 %2 字节开始，位于其他张量之内；至少应为 %3。</translation>
    </message>
    <message>
        <source>%1 is missing or no size.</source>
        <translation>%1 缺失或不是有效的大小。</translation>
    </message>
    <message>
        <source>%1 is no JSON object of at most %2 levels.</source>
        <translation>%1 不是最多 %2 层的 JSON 对象。</translation>
    </message>
    <message>
        <source>%1 and %2 do not fit together.</source>
        <translation>%1 与 %2 不相符。</translation>
    </message>
    <message>
        <source>%1 and %2 overlap.</source>
        <translation>%1 与 %2 重叠。</translation>
    </message>
    <message>
        <source>%1 groups do not fit a matrix of %2 by %3.</source>
        <translation>%1 个分组与 %2 × %3 的矩阵不相符。</translation>
    </message>
    <message>
        <source>%1 scales do not fit a matrix of %2 by %3.</source>
        <translation>%1 个缩放因子与 %2 × %3 的矩阵不相符。</translation>
    </message>
    <message>
        <source>%1 attention heads are no multiple of %2 key and value heads.</source>
        <translation>%1 个注意力头不是 %2 个键值头的倍数。</translation>
    </message>
    <message>
        <source>The rotated dimension %1 must be even and at most the head dimension %2.</source>
        <translation>旋转维度 %1 必须为偶数且不超过头维度 %2。</translation>
    </message>
    <message>
        <source>Norm epsilon, rope base and rope factor must be above 0.</source>
        <translation>归一化 epsilon、RoPE 基数和 RoPE 因子必须大于 0。</translation>
    </message>
    <message>
        <source>%1 layers up to %2 wide with %3 heads of %4 are more than this version accepts.</source>
        <translation>%1 层、宽度达 %2、%3 个大小为 %4 的头超出此版本的上限。</translation>
    </message>
    <message>
        <source>The sliding window pattern names %1 of %2 layers.</source>
        <translation>滑动窗口模式只涉及 %2 层中的 %1 层。</translation>
    </message>
    <message>
        <source>Latent attention has keys of %1 (rotated %2) and values of %3.</source>
        <translation>潜在注意力的键为 %1（旋转 %2），值为 %3。</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; at most %3 are read.</source>
        <translation>%1 有 %2 字节；最多读取 %3 字节。</translation>
    </message>
    <message>
        <source>The index of %1 names &quot;%2&quot;, which is no file of this folder.</source>
        <translation>%1 的索引指向“%2”，它不是此文件夹中的文件。</translation>
    </message>
    <message>
        <source>%1 asks for something that this version does not compute (%2).</source>
        <translation>%1 要求此版本不支持的计算（%2）。</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is a model of pictures or sound beside text.</source>
        <translation>%1：“%2”是除文本外还处理图像或声音的模型。</translation>
    </message>
    <message>
        <source>%1: the model type &quot;%2&quot; is none that this version reads from safetensors.</source>
        <translation>%1：此版本无法从 safetensors 读取模型类型“%2”。</translation>
    </message>
    <message>
        <source>The weights of %1 are quantized with &quot;%2&quot; (%3 bits), which this version does not read.</source>
        <translation>%1 的权重以“%2”（%3 位）量化，此版本无法读取。</translation>
    </message>
    <message>
        <source>%1 pools by %2, which this version does not do.</source>
        <translation>%1 的池化方式 %2 不受此版本支持。</translation>
    </message>
    <message>
        <source>%1 pools by %2 too; this version pools in one way.</source>
        <translation>%1 还要求池化方式 %2；此版本只用一种。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is %3, which this version does not compute.</source>
        <translation>%1 的条目“%2”为 %3，此版本无法计算。</translation>
    </message>
    <message>
        <source>%1 uses %2 of %3 experts for a token; at most all of at most 1024 are possible.</source>
        <translation>%1 对每个词元使用 %3 个专家中的 %2 个；最多可为 1024 个中的全部。</translation>
    </message>
    <message>
        <source>%1 has value heads of %2 beside key heads of %3.</source>
        <translation>%1 的值头大小为 %2，而键头为 %3。</translation>
    </message>
    <message>
        <source>The entry &quot;%2&quot; of %1 is 0.</source>
        <translation>%1 的条目“%2”为 0。</translation>
    </message>
    <message>
        <source>position_embd.weight has %1 rows for a context of %2.</source>
        <translation>position_embd.weight 有 %1 行，而上下文为 %2。</translation>
    </message>
    <message>
        <source>This DeepSeek file has no tensors attn_k_b and attn_v_b: it was converted before May 2025.</source>
        <translation>此 DeepSeek 文件没有张量 attn_k_b 和 attn_v_b：它是在 2025 年 5 月之前转换的。</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; of %1 has %3 dimensions and %4 bytes; one or two dimensions and some bytes are needed.</source>
        <translation>%1 的张量“%2”有 %3 个维度和 %4 字节；需要一或两个维度且不为空。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has another shape or type than the %3 by %4 floating-point numbers that are needed.</source>
        <translation>%1 的张量 %2 的形状或类型不符；需要 %3 × %4 个浮点数。</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; of %1 has %3 rows, which do not make pairs in %4 heads.</source>
        <translation>%1 的张量“%2”有 %3 行，无法在 %4 个头中成对。</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; of %1 has the type %3, which this version does not know.</source>
        <translation>%1 的张量“%2”类型为 %3，此版本不认识。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has %3 bytes of type %4; %5 values of type f32 are needed.</source>
        <translation>%1 的张量 %2 有 %3 字节，类型为 %4；需要 %5 个 f32 值。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 holds a factor that is not above 0.</source>
        <translation>%1 的张量 %2 含有不大于 0 的因子。</translation>
    </message>
    <message>
        <source>Expert %2 of %3 in %1 is missing or unlike the first.</source>
        <translation>%1 中 %3 的第 %2 个专家缺失或与第一个不同。</translation>
    </message>
    <message>
        <source>The experts %2 of %1 are of type %3, which this version does not read.</source>
        <translation>%1 的专家 %2 类型为 %3，此版本无法读取。</translation>
    </message>
    <message>
        <source>Tensor %1 is damaged (%2).</source>
        <translation>张量 %1 已损坏（%2）。</translation>
    </message>
    <message>
        <source>The quantized matrix %1 is damaged or of an unknown kind (%2).</source>
        <translation>量化矩阵 %1 已损坏或类型未知（%2）。</translation>
    </message>
    <message>
        <source>The tokenizer of %1 has a part that this version does not know (%2).</source>
        <translation>%1 的分词器有此版本不认识的部分（%2）。</translation>
    </message>
    <message>
        <source>The text has %1 bytes; at most %3 can be cut into tokens.</source>
        <translation>文本有 %1 字节；最多可分词 %3 字节。</translation>
    </message>
    <message>
        <source>The text of %1 bytes could not be cut into words: %2.</source>
        <translation>无法切分 %1 字节的文本：%2。</translation>
    </message>
    <message>
        <source>The pattern %1 that cuts text into words is faulty at byte %3: %2.</source>
        <translation>切分文本的模式 %1 在第 %3 字节处有误：%2。</translation>
    </message>
    <message>
        <source>No memory was left for cutting the text into words.</source>
        <translation>没有内存可用于切分文本。</translation>
    </message>
    <message>
        <source>The system does not tell how much memory is free.</source>
        <translation>系统未告知可用内存的大小。</translation>
    </message>
    <message>
        <source>Weights cannot be quantized to &quot;%1&quot; while loading.</source>
        <translation>加载时无法将权重量化为“%1”。</translation>
    </message>
    <message>
        <source>Weights cannot be quantized to %1.</source>
        <translation>无法将权重量化为 %1。</translation>
    </message>
    <message>
        <source>A row of %1 weights is no multiple of the %2 in a block of %3.</source>
        <translation>一行 %1 个权重不是 %3 每块 %2 个的倍数。</translation>
    </message>
    <message>
        <source>A weight is %2; %3 holds finite values up to %4.</source>
        <translation>有权重为 %2；%3 只能存放不超过 %4 的有限值。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has type number %3, which cannot be read.</source>
        <translation>无法读取 %1 的张量 %2，其类型编号为 %3。</translation>
    </message>
    <message>
        <source>The importance matrix %1 is damaged (%2).</source>
        <translation>重要性矩阵 %1 已损坏（%2）。</translation>
    </message>
    <message>
        <source>The importance matrix %1 has %2 values for %3; %4 are needed.</source>
        <translation>重要性矩阵 %1 对 %3 有 %2 个值；需要 %4 个。</translation>
    </message>
    <message>
        <source>The importance matrix %1 names no tensor of %2.</source>
        <translation>重要性矩阵 %1 未提及 %2 的任何张量。</translation>
    </message>
    <message>
        <source>The products of %1 inputs of the calibration text are not positive definite.</source>
        <translation>校准文本的 %1 个输入的乘积不是正定的。</translation>
    </message>
    <message>
        <source>Tensor %1 had no input in the calibration text.</source>
        <translation>张量 %1 在校准文本中没有输入。</translation>
    </message>
    <message>
        <source>Groups of %1 weights do not divide every row of %2.</source>
        <translation>每组 %1 个权重不能整除 %2 的每一行。</translation>
    </message>
    <message>
        <source>AWQ&apos;s factors have no known place in the architecture %2 of %1.</source>
        <translation>AWQ 的因子在 %1 的架构 %2 中没有已知位置。</translation>
    </message>
    <message>
        <source>Tensor %2 of %1 has no place in a folder of quantized weights.</source>
        <translation>%1 的张量 %2 无法放入量化权重的文件夹。</translation>
    </message>
    <message>
        <source>Tensor &quot;%2&quot; cannot be written to %1: %3.</source>
        <translation>无法将张量“%2”写入 %1：%3。</translation>
    </message>
    <message>
        <source>%1 uses %2, which has no place in a config.json.</source>
        <translation>%1 使用 %2，而 config.json 无处存放。</translation>
    </message>
    <message>
        <source>%1 rotates by factors that are not Llama 3&apos;s, which have no place in a config.json.</source>
        <translation>%1 的旋转因子不是 Llama 3 的，而 config.json 无处存放。</translation>
    </message>
    <message>
        <source>From %1 no folder of safetensors can be written: its architecture is &quot;%2&quot;.</source>
        <translation>无法由 %1 写出 safetensors 文件夹：其架构为“%2”。</translation>
    </message>
    <message>
        <source>From %1 no folder of safetensors can be written: its architecture is &quot;%2&quot; with experts.</source>
        <translation>无法由 %1 写出 safetensors 文件夹：其架构为带专家的“%2”。</translation>
    </message>
    <message>
        <source>The tokenizer of %1 is of the kind &quot;%2&quot;, which cannot be written as tokenizer.json.</source>
        <translation>%1 的分词器类型为“%2”，无法写成 tokenizer.json。</translation>
    </message>
    <message>
        <source>%1 is there already.</source>
        <translation>%1 已存在。</translation>
    </message>
    <message>
        <source>Leave it out.</source>
        <translation>请去掉它。</translation>
    </message>
    <message>
        <source>Choose a text, a few pages of what the model will be asked.</source>
        <translation>请选择文本：几页模型将被问到的内容。</translation>
    </message>
    <message>
        <source>Choose the method %1.</source>
        <translation>请选择方法 %1。</translation>
    </message>
    <message>
        <source>Choose the method %1, or a type that %2 writes: %3.</source>
        <translation>请选择方法 %1，或 %2 能写出的类型：%3。</translation>
    </message>
    <message>
        <source>Both models are as they were.</source>
        <translation>两个模型均未改变。</translation>
    </message>
    <message>
        <source>Compare models with vocabularies.</source>
        <translation>请比较有词表的模型。</translation>
    </message>
    <message>
        <source>Choose full, no_kv_cache, dense_kv, static_batching, no_prefix_cache, no_chunked_prefill, no_weight_quant, no_kv_quant, no_speculation, no_cuda_graph or no_fused_kernels.</source>
        <translation>请选择 full、no_kv_cache、dense_kv、static_batching、no_prefix_cache、no_chunked_prefill、no_weight_quant、no_kv_quant、no_speculation、no_cuda_graph 或 no_fused_kernels。</translation>
    </message>
    <message>
        <source>The option %1 means nothing for %2 by the method %3.</source>
        <translation>选项 %1 对以方法 %3 写出的 %2 没有意义。</translation>
    </message>
    <message>
        <source>The method %1 needs a text to see the model at work.</source>
        <translation>方法 %1 需要文本来观察模型的运行。</translation>
    </message>
    <message>
        <source>The method &quot;%2&quot; does not write %1.</source>
        <translation>方法“%2”不能写出 %1。</translation>
    </message>
    <message>
        <source>The comparison was stopped.</source>
        <translation>比较已停止。</translation>
    </message>
    <message>
        <source>%1 has no tokenizer to read the text with.</source>
        <translation>%1 没有可读取文本的分词器。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no row of the ablation.</source>
        <translation>“%1”不是消融实验的一行。</translation>
    </message>
    <message>
        <source>Send plain text, or choose a chat model.</source>
        <translation>请发送纯文本，或选择聊天模型。</translation>
    </message>
    <message>
        <source>Use numbers of this model&apos;s tokenizer.</source>
        <translation>请使用此模型分词器的编号。</translation>
    </message>
    <message>
        <source>Send fewer.</source>
        <translation>请减少数量。</translation>
    </message>
    <message>
        <source>Change or remove it.</source>
        <translation>请修改或删除它。</translation>
    </message>
    <message>
        <source>Leave the number out for no limit.</source>
        <translation>不设上限时请留空。</translation>
    </message>
    <message>
        <source>Choose 1 for the mean.</source>
        <translation>取平均值请选择 1。</translation>
    </message>
    <message>
        <source>Leave them out, or do not search by beams.</source>
        <translation>请去掉它们，或不使用束搜索。</translation>
    </message>
    <message>
        <source>Ask for fewer choices.</source>
        <translation>请减少回答数。</translation>
    </message>
    <message>
        <source>Ask for fewer.</source>
        <translation>请减少数量。</translation>
    </message>
    <message>
        <source>Load the model on the CPU.</source>
        <translation>请在 CPU 上加载模型。</translation>
    </message>
    <message>
        <source>This file has no chat template: it goes on with a text and does not chat.</source>
        <translation>此文件没有聊天模板：只能续写文本，不能对话。</translation>
    </message>
    <message>
        <source>The chat template of this file cannot be used: %1.</source>
        <translation>此文件的聊天模板无法使用：%1。</translation>
    </message>
    <message>
        <source>This file has no vocabulary.</source>
        <translation>此文件没有词表。</translation>
    </message>
    <message>
        <source>Token number %2 is outside the vocabulary of %3 tokens.</source>
        <translation>词元编号 %2 超出了 %3 个词元的词表。</translation>
    </message>
    <message>
        <source>%1 stop strings are asked for; at most %2 are taken.</source>
        <translation>要求 %1 个停止文本；最多可用 %2 个。</translation>
    </message>
    <message>
        <source>A stop string has %1 bytes; 1 to %2 are possible.</source>
        <translation>停止文本有 %1 字节；可为 1 到 %2 字节。</translation>
    </message>
    <message>
        <source>The most (%1) and the least number of tokens (%2) must not be negative.</source>
        <translation>最多词元数（%1）和最少词元数（%2）不能为负。</translation>
    </message>
    <message>
        <source>%1 beams are asked for; %2, the number of choices, to %3 is possible.</source>
        <translation>要求 %1 个束；可为 %2（回答数）到 %3。</translation>
    </message>
    <message>
        <source>Beam search takes no penalties, token biases, least number of tokens, best_of, echo or grammar.</source>
        <translation>束搜索不支持惩罚、词元偏置、最少词元数、best_of、echo 或语法。</translation>
    </message>
    <message>
        <source>%1 choices of %2 are asked for; 1 to %3 is possible.</source>
        <translation>要求从 %2 个中给出 %1 个回答；可为 1 到 %3。</translation>
    </message>
    <message>
        <source>%1 log probabilities are asked for; at most %2 are given.</source>
        <translation>要求 %1 个对数概率；最多给出 %2 个。</translation>
    </message>
    <message>
        <source>The model gave no further beam.</source>
        <translation>模型未给出更多束。</translation>
    </message>
    <message>
        <source>This device does not give the hidden states that embeddings are made of.</source>
        <translation>此设备不提供生成嵌入所需的隐藏状态。</translation>
    </message>
</context>
<context>
    <name>ExperimentView</name>
    <message>
        <source>%1 of %2 guesses right.</source>
        <translation>%2 个猜测中有 %1 个正确。</translation>
    </message>
    <message>
        <source>%1, without a model.</source>
        <translation>%1，无模型。</translation>
    </message>
    <message>
        <source>%1, %2 on %3.</source>
        <translation>%1，%2，在 %3 上。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Your guess</source>
        <translation>猜测</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>guess right: %1</source>
        <translation>猜测正确：%1</translation>
    </message>
    <message>
        <source>guess wrong: %1</source>
        <translation>猜测错误：%1</translation>
    </message>
    <message>
        <source>Your guess first</source>
        <translation>先猜一猜</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Skip the guesses</source>
        <translation>跳过猜测</translation>
    </message>
    <message>
        <source>Progress of the experiment</source>
        <translation>实验进度</translation>
    </message>
    <message numerus="yes">
        <source>%n guess(es) to go</source>
        <translation>
            <numerusform>还有 %n 个猜测</numerusform>
        </translation>
    </message>
    <message>
        <source>“%1” is no number from 0 to %2. Correct it, or skip the guesses.</source>
        <translation>“%1”不是 0 到 %2 之间的数字。请改正，或跳过猜测。</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in chat</source>
        <translation>在对话中查找</translation>
    </message>
    <message>
        <source>Previous hit</source>
        <translation>上一个</translation>
    </message>
    <message>
        <source>Next hit</source>
        <translation>下一个</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
</context>
<context>
    <name>FirstState</name>
    <message>
        <source>Ask something. It stays on this machine.</source>
        <translation>随便问点什么。内容只留在本机。</translation>
    </message>
    <message>
        <source>Ask something. It goes to %1.</source>
        <translation>问点什么吧。内容会发送到 %1。</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Looking for devices</source>
        <translation>正在查找设备</translation>
    </message>
    <message>
        <source>Check again</source>
        <translation>重新检查</translation>
    </message>
    <message>
        <source>Open file…</source>
        <translation>打开文件…</translation>
    </message>
    <message>
        <source>All models…</source>
        <translation>全部模型…</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Explain how a heat pump works, in five sentences</source>
        <translation>用五句话解释热泵的工作原理</translation>
    </message>
    <message>
        <source>Rewrite a blunt reply so that it sounds friendly</source>
        <translation>把一句生硬的回复改得友好一些</translation>
    </message>
    <message>
        <source>Write a shell one-liner that finds the ten largest files</source>
        <translation>写一行 shell 命令，找出最大的十个文件</translation>
    </message>
    <message>
        <source>No GPU is used. %1.</source>
        <translation>未使用 GPU。%1。</translation>
    </message>
    <message>
        <source>No usable device was found.</source>
        <translation>没有找到可用的设备。</translation>
    </message>
    <message>
        <source>1 thread</source>
        <translation>1 个线程</translation>
    </message>
    <message>
        <source>%1 threads</source>
        <translation>%1 个线程</translation>
    </message>
    <message>
        <source>%1 · %2 of %3 free</source>
        <translation>%1 · 可用 %2 / %3</translation>
    </message>
    <message>
        <source>No model was found on this computer. A small one, 100 MB to 2 GB, is enough to begin.</source>
        <translation>这台电脑上没有找到模型。先用一个小模型（100 MB 到 2 GB）就够了。</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Memory fit</source>
        <translation>内存占用</translation>
    </message>
    <message>
        <source>Fits, %1 to spare</source>
        <translation>放得下，剩余 %1</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>其他程序</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Scratch</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Margin 10 %</source>
        <translation>余量 10 %</translation>
    </message>
</context>
<context>
    <name>HubClient</name>
    <message>
        <source>The search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>%1 gave no list of models.</source>
        <translation>%1 没有返回模型列表。</translation>
    </message>
    <message>
        <source>Try again in a minute.</source>
        <translation>请一分钟后重试。</translation>
    </message>
    <message>
        <source>%1 cannot be reached: %2.</source>
        <translation>无法连接 %1：%2。</translation>
    </message>
    <message>
        <source>Check the connection and try again. The models on this computer go on working.</source>
        <translation>请检查连接后重试。本机上的模型可继续使用。</translation>
    </message>
    <message>
        <source>%1 is not open to everybody (HTTP %2).</source>
        <translation>%1 未对所有人开放（HTTP %2）。</translation>
    </message>
    <message>
        <source>Accept its terms on %1 and download the file there.</source>
        <translation>请在 %1 上接受其条款并在那里下载文件。</translation>
    </message>
    <message>
        <source>%1 was not found (HTTP 404).</source>
        <translation>未找到 %1（HTTP 404）。</translation>
    </message>
    <message>
        <source>Search for it again.</source>
        <translation>请重新搜索。</translation>
    </message>
    <message>
        <source>%1 asks for a pause (HTTP 429).</source>
        <translation>%1 请求暂缓（HTTP 429）。</translation>
    </message>
    <message>
        <source>Try again in a few minutes.</source>
        <translation>请几分钟后重试。</translation>
    </message>
    <message>
        <source>%1 answered with HTTP %2.</source>
        <translation>%1 的回应是 HTTP %2。</translation>
    </message>
</context>
<context>
    <name>HubPanel</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Back to the details</source>
        <translation>返回详细信息</translation>
    </message>
    <message>
        <source>Name of a model, for example qwen3 0.6b</source>
        <translation>模型名称，例如 qwen3 0.6b</translation>
    </message>
    <message>
        <source>Search the Hugging Face Hub</source>
        <translation>搜索 Hugging Face Hub</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Searches %1 for GGUF files. Nothing is sent before you press Enter.</source>
        <translation>在 %1 上搜索 GGUF 文件。按下回车之前不会发送任何内容。</translation>
    </message>
    <message>
        <source>Repositories</source>
        <translation>仓库</translation>
    </message>
    <message>
        <source>Repository</source>
        <translation>仓库</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>下载量</translation>
    </message>
    <message>
        <source>Updated</source>
        <translation>更新时间</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>File</source>
        <translation>文件</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Memory here</source>
        <translation>本机内存</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>%1 disk left</source>
        <translation>磁盘剩余 %1</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
    <message>
        <source>%1 (asks for a login)</source>
        <translation>%1（需要登录）</translation>
    </message>
    <message>
        <source>Nothing with GGUF files is called “%1” on %2.</source>
        <translation>%2 上没有名为“%1”且含 GGUF 文件的仓库。</translation>
    </message>
    <message>
        <source>%1 has no GGUF file</source>
        <translation>%1 没有 GGUF 文件</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>超出 %1</translation>
    </message>
</context>
<context>
    <name>KernelTableModel</name>
    <message>
        <source>fused</source>
        <translation>已融合</translation>
    </message>
    <message>
        <source>decomposed</source>
        <translation>已分解</translation>
    </message>
    <message>
        <source>Operation</source>
        <translation>运算</translation>
    </message>
    <message>
        <source>Kernel</source>
        <translation>内核</translation>
    </message>
    <message>
        <source>Times a step</source>
        <translation>每步次数</translation>
    </message>
    <message>
        <source>Form</source>
        <translation>形式</translation>
    </message>
    <message>
        <source>Why not fused</source>
        <translation>未融合的原因</translation>
    </message>
</context>
<context>
    <name>Lab</name>
    <message>
        <source>Lab: capacity</source>
        <translation>实验室：容量</translation>
    </message>
    <message>
        <source>Capacity planner</source>
        <translation>容量规划</translation>
    </message>
    <message>
        <source>Weights, the KV cache of every request, scratch and a tenth for safety against the memory there is: how many requests fit at once? A decode step must read all weights and every KV once, so the memory&apos;s bandwidth bounds the tokens a second. With a model loaded, a short run at 1, 2, 4 and 8 requests checks the expectation.</source>
        <translation>权重、每个请求的 KV 缓存、工作区和一成余量，与现有内存相比：能同时容纳多少请求？一个解码步骤必须把所有权重和每份 KV 各读一遍，因此内存带宽限制了每秒词元数。如果已加载模型，会以 1、2、4 和 8 个请求短暂运行来检验预期。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>KV of a token</source>
        <translation>每词元 KV</translation>
    </message>
    <message>
        <source>Context of a request</source>
        <translation>每个请求的上下文</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Requests at once</source>
        <translation>同时的请求数</translation>
    </message>
    <message>
        <source>Scratch</source>
        <translation>工作区</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Bandwidth, 0: from the run</source>
        <translation>带宽，0：由运行得出</translation>
    </message>
    <message>
        <source>How many requests of this context fit at once?</source>
        <translation>能同时容纳多少个这种上下文的请求？</translation>
    </message>
    <message>
        <source>requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Tokens a second with 8 requests, against one?</source>
        <translation>8 个请求的每秒词元数是单个请求的几倍？</translation>
    </message>
    <message>
        <source>times</source>
        <translation>倍</translation>
    </message>
    <message>
        <source>KV of all requests</source>
        <translation>所有请求的 KV</translation>
    </message>
    <message>
        <source>Margin, 10 %</source>
        <translation>余量，10 %</translation>
    </message>
    <message>
        <source>Together</source>
        <translation>合计</translation>
    </message>
    <message>
        <source>Requests that fit</source>
        <translation>可容纳的请求</translation>
    </message>
    <message>
        <source>of %1 tokens each</source>
        <translation>每个 %1 个词元</translation>
    </message>
    <message>
        <source>the %1 asked for fit</source>
        <translation>要求的 %1 个放得下</translation>
    </message>
    <message>
        <source>%1 too much for the %2 asked for</source>
        <translation>要求的 %2 个超出 %1</translation>
    </message>
    <message>
        <source>Blocks of a pool of 90 %</source>
        <translation>90 % 的池的块数</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>Planned</source>
        <translation>计划</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Tokens a second against requests at once</source>
        <translation>每秒词元数与同时请求数的关系</translation>
    </message>
    <message>
        <source>requests in the batch</source>
        <translation>批中的请求</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>roofline: bandwidth / bytes read</source>
        <translation>屋顶线：带宽 / 读取的字节</translation>
    </message>
    <message>
        <source>8 requests against one</source>
        <translation>8 个请求与单个请求之比</translation>
    </message>
    <message>
        <source>%1 of %2 are taken; %3 requests of %4 tokens would fit.</source>
        <translation>已占用 %1 / %2；可容纳 %3 个 %4 个词元的请求。</translation>
    </message>
    <message>
        <source>It does not fit: %1 of %2. At most %3 requests of %4 tokens do.</source>
        <translation>放不下：%1 / %2。最多可容纳 %3 个 %4 个词元的请求。</translation>
    </message>
    <message>
        <source>No model is loaded, so the curve is the bound alone; nothing checks it.</source>
        <translation>没有加载模型，曲线只是上限，未经检验。</translation>
    </message>
    <message>
        <source>The bound takes the bandwidth from one request&apos;s speed unless one is given; computing, not reading, keeps larger batches below it.</source>
        <translation>如未给出带宽，上限取自单个请求的速度；较大的批低于上限是因为计算，而不是读取。</translation>
    </message>
    <message>
        <source>better</source>
        <translation>更好</translation>
    </message>
    <message>
        <source>same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>worse</source>
        <translation>更差</translation>
    </message>
    <message>
        <source>%1, %2 times</source>
        <translation>%1，%2 倍</translation>
    </message>
    <message>
        <source>within 25 %</source>
        <translation>误差在 25 % 以内</translation>
    </message>
    <message>
        <source>guessed too high</source>
        <translation>猜得过高</translation>
    </message>
    <message>
        <source>guessed too low</source>
        <translation>猜得过低</translation>
    </message>
    <message>
        <source>Lab: KV cache</source>
        <translation>实验室：KV 缓存</translation>
    </message>
    <message>
        <source>KV cache on and off</source>
        <translation>KV 缓存开与关</translation>
    </message>
    <message>
        <source>With the KV cache a new token computes one row and reads the keys and values of all before it. Without it, the whole sequence is computed again for every token; here this is really done, as a request of that length without reuse that makes one token. How does the cost of a token grow with the length?</source>
        <translation>使用 KV 缓存时，新词元只计算一行，并读取之前所有词元的键和值。不使用时，每个词元都要重新计算整个序列；这里会真正这样做：发出一个该长度、不复用、只生成一个词元的请求。一个词元的代价如何随长度增长？</translation>
    </message>
    <message>
        <source>Longest sequence</source>
        <translation>最长序列</translation>
    </message>
    <message>
        <source>Without the cache the cost of a token …</source>
        <translation>不用缓存时，一个词元的代价…</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>不变</translation>
    </message>
    <message>
        <source>grows with the length</source>
        <translation>随长度增长</translation>
    </message>
    <message>
        <source>falls</source>
        <translation>下降</translation>
    </message>
    <message>
        <source>With the cache it …</source>
        <translation>使用缓存时…</translation>
    </message>
    <message>
        <source>At the longest, how many times cheaper is it with the cache?</source>
        <translation>在最大长度时，使用缓存便宜多少倍？</translation>
    </message>
    <message>
        <source>No model is loaded. Load one, then run the experiment.</source>
        <translation>没有加载模型。请先加载模型，再运行实验。</translation>
    </message>
    <message>
        <source>with the KV cache</source>
        <translation>使用 KV 缓存</translation>
    </message>
    <message>
        <source>without</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>With</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Without</source>
        <translation>不使用</translation>
    </message>
    <message>
        <source>Cost of a token</source>
        <translation>一个词元的代价</translation>
    </message>
    <message>
        <source>Without the cache</source>
        <translation>不用缓存</translation>
    </message>
    <message>
        <source>With the cache</source>
        <translation>使用缓存</translation>
    </message>
    <message>
        <source>Cost of the next token against the length of the sequence</source>
        <translation>下一个词元的代价与序列长度的关系</translation>
    </message>
    <message>
        <source>tokens before it</source>
        <translation>之前的词元</translation>
    </message>
    <message>
        <source>At %1 tokens a token costs %2 ms with the cache and %3 ms without: %4 times. A whole sequence of that length: about %5 against %6.</source>
        <translation>长度为 %1 个词元时，一个词元使用缓存需 %2 毫秒，不用缓存需 %3 毫秒：%4 倍。该长度的整个序列：约 %5 对 %6。</translation>
    </message>
    <message>
        <source>With: median of %1 decode steps of one sequence. Without: the better of two runs, from the first planned step to the token.</source>
        <translation>使用：一个序列 %1 个解码步骤的中位数。不使用：两次运行中较好的一次，从首个计划的步骤到该词元。</translation>
    </message>
    <message>
        <source>Paging</source>
        <translation>分页</translation>
    </message>
    <message>
        <source>A dense KV cache reserves the whole context for each request when it is admitted. A paged one gives it blocks as it grows. For the same requests and the same memory: how much is reserved, used and wasted, and how many fit?</source>
        <translation>稠密 KV 缓存在接纳请求时为其预留整个上下文；分页 KV 缓存则随其增长分配块。对相同的请求和相同的内存：预留、使用和浪费各多少，能容纳多少个？</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Made from the values below</source>
        <translation>由下方的值生成</translation>
    </message>
    <message>
        <source>This session</source>
        <translation>本次会话</translation>
    </message>
    <message>
        <source>Number</source>
        <translation>数量</translation>
    </message>
    <message>
        <source>Prompt, mean</source>
        <translation>提示，平均</translation>
    </message>
    <message>
        <source>Answer, mean</source>
        <translation>回答，平均</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>块</translation>
    </message>
    <message>
        <source>Memory for KV</source>
        <translation>KV 内存</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>种子</translation>
    </message>
    <message>
        <source>How much of the dense reservation is wasted?</source>
        <translation>稠密预留中有多少被浪费？</translation>
    </message>
    <message>
        <source>How many times more requests fit with blocks?</source>
        <translation>使用块能容纳多少倍的请求？</translation>
    </message>
    <message>
        <source>Dense</source>
        <translation>稠密</translation>
    </message>
    <message>
        <source>Paged</source>
        <translation>分页</translation>
    </message>
    <message>
        <source>Reserved</source>
        <translation>预留</translation>
    </message>
    <message>
        <source>Used</source>
        <translation>使用</translation>
    </message>
    <message>
        <source>Wasted</source>
        <translation>浪费</translation>
    </message>
    <message>
        <source>of %1 at once</source>
        <translation>共 %1 个同时</translation>
    </message>
    <message>
        <source>KV memory for %1 requests</source>
        <translation>%1 个请求的 KV 内存</translation>
    </message>
    <message>
        <source>Wasted share of what is reserved, against the block size</source>
        <translation>预留中浪费的比例与块大小的关系</translation>
    </message>
    <message>
        <source>tokens of a block</source>
        <translation>每块词元</translation>
    </message>
    <message>
        <source>With blocks of %1 tokens %2 requests fit where %3 dense places do; %4 instead of %5 is wasted.</source>
        <translation>使用 %1 个词元的块可容纳 %2 个请求，稠密方式只有 %3 个；浪费 %4，而不是 %5。</translation>
    </message>
    <message>
        <source>Computed: every request counted at its final length, first come, first served. A request longer than the context fits in neither.</source>
        <translation>计算得出：每个请求按其最终长度计，先到先得。比上下文更长的请求两者都放不下。</translation>
    </message>
    <message>
        <source>Immediate</source>
        <translation>即时</translation>
    </message>
    <message>
        <source>Static</source>
        <translation>静态</translation>
    </message>
    <message>
        <source>Continuous</source>
        <translation>连续</translation>
    </message>
    <message>
        <source>Bar: arrival · grey: queued · blue: prompt tokens read · green: one token a tick · hatched: padding · box: end, time in the system</source>
        <translation>竖线：到达 · 灰色：排队 · 蓝色：读取提示词元 · 绿色：每节拍一个词元 · 斜线：填充 · 方框：结束，系统内时间</translation>
    </message>
    <message>
        <source>seconds since the first arrival</source>
        <translation>自首次到达起的秒数</translation>
    </message>
    <message>
        <source>Requests waiting for their first prompt token to be read</source>
        <translation>等待读取首个提示词元的请求</translation>
    </message>
    <message>
        <source>Batching policies</source>
        <translation>批处理策略</translation>
    </message>
    <message>
        <source>The same requests, served one at a time, in fixed batches, and in a batch that changes every step. Admission and release are the code the engine runs; only the clock is made of equal ticks. What does continuous batching change against immediate serving?</source>
        <translation>相同的请求：逐个处理、按固定批处理，以及在每步都变化的批中处理。接纳和释放就是引擎运行的代码，只有时钟由相等的节拍组成。与即时处理相比，连续批处理会改变什么？</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>跟踪</translation>
    </message>
    <message>
        <source>Toy trace, 4 requests</source>
        <translation>示例跟踪，4 个请求</translation>
    </message>
    <message>
        <source>Arrivals</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>a second</source>
        <translation>每秒</translation>
    </message>
    <message>
        <source>Places</source>
        <translation>槽位</translation>
    </message>
    <message>
        <source>Prompt tokens a tick</source>
        <translation>每节拍提示词元</translation>
    </message>
    <message>
        <source>Objective: first token</source>
        <translation>目标：首个词元</translation>
    </message>
    <message>
        <source>s</source>
        <translation>秒</translation>
    </message>
    <message>
        <source>Objective: a token</source>
        <translation>目标：每词元</translation>
    </message>
    <message>
        <source>Window, 0: to the end</source>
        <translation>时间范围，0：到结束</translation>
    </message>
    <message>
        <source>First token (TTFT p50)</source>
        <translation>首个词元 (TTFT p50)</translation>
    </message>
    <message>
        <source>Time per token (TPOT p50)</source>
        <translation>每词元时间 (TPOT p50)</translation>
    </message>
    <message>
        <source>Time in system (E2E p50)</source>
        <translation>系统内时间 (E2E p50)</translation>
    </message>
    <message>
        <source>Goodput</source>
        <translation>有效吞吐</translation>
    </message>
    <message>
        <source>KV peak</source>
        <translation>KV 峰值</translation>
    </message>
    <message>
        <source>Places in use</source>
        <translation>使用中的槽位</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>每词元时间</translation>
    </message>
    <message>
        <source>Time in system</source>
        <translation>系统内时间</translation>
    </message>
    <message>
        <source>met both objectives</source>
        <translation>达到两个目标</translation>
    </message>
    <message>
        <source>req/s</source>
        <translation>请求/秒</translation>
    </message>
    <message>
        <source>decode rows</source>
        <translation>解码行</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>longest</source>
        <translation>最长</translation>
    </message>
    <message>
        <source>Unfinished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>at the window&apos;s end</source>
        <translation>时间范围结束时</translation>
    </message>
    <message>
        <source>Little&apos;s law: the mean number in the system is the arrival rate times the mean time in it</source>
        <translation>利特尔法则：系统内平均数量等于到达率乘以平均停留时间</translation>
    </message>
    <message>
        <source>Policy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>In the system, counted</source>
        <translation>系统内，计数</translation>
    </message>
    <message>
        <source>Arrivals a second</source>
        <translation>每秒到达</translation>
    </message>
    <message>
        <source>Mean time</source>
        <translation>平均时间</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>Off by</source>
        <translation>偏差</translation>
    </message>
    <message>
        <source>Each request</source>
        <translation>每个请求</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Arrival</source>
        <translation>到达</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>%1: %2 in the system = %3 arrivals/s × %4 s (continuous).</source>
        <translation>%1：系统内 %2 = 到达 %3/秒 × %4 秒（连续）。</translation>
    </message>
    <message>
        <source>Little&apos;s law holds</source>
        <translation>利特尔法则成立</translation>
    </message>
    <message>
        <source>Little&apos;s law is off by more than 1 %</source>
        <translation>利特尔法则偏差超过 1 %</translation>
    </message>
    <message>
        <source>%1 places, %2 prompt tokens a tick, tick %3. Unfinished requests count as infinite in every percentile.</source>
        <translation>%1 个槽位，每节拍 %2 个提示词元，节拍 %3。未完成的请求在各百分位中按无穷大计。</translation>
    </message>
    <message>
        <source>The chart draws the first %1 requests.</source>
        <translation>图表绘制前 %1 个请求。</translation>
    </message>
    <message>
        <source>Prefix cache</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>Five chats in turn on the loaded model: a first one, the same again, another question under the same system prompt, an edited earlier turn, and another system prompt. How many prompt tokens of each are found in the cache, and at which token does a prompt begin to differ?</source>
        <translation>在已加载的模型上依次进行五个对话：第一个、同样的再来一次、相同系统提示下的另一个问题、编辑过的较早一轮，以及另一个系统提示。每个对话有多少提示词元能在缓存中找到，提示从哪个词元开始不同？</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>tokens, about</source>
        <translation>词元，约</translation>
    </message>
    <message>
        <source>Earlier turn</source>
        <translation>较早的一轮</translation>
    </message>
    <message>
        <source>The same chat again: how much is reused?</source>
        <translation>同样的对话再来一次：复用多少？</translation>
    </message>
    <message>
        <source>Another question, same system prompt?</source>
        <translation>另一个问题，相同系统提示？</translation>
    </message>
    <message>
        <source>An edited earlier turn?</source>
        <translation>编辑过的较早一轮？</translation>
    </message>
    <message>
        <source>Another system prompt?</source>
        <translation>另一个系统提示？</translation>
    </message>
    <message>
        <source>The model is loaded without its prefix cache. Load it with the cache on.</source>
        <translation>模型加载时未启用前缀缓存。请启用缓存后重新加载。</translation>
    </message>
    <message>
        <source>First chat</source>
        <translation>第一个对话</translation>
    </message>
    <message>
        <source>The same again</source>
        <translation>同样的再来一次</translation>
    </message>
    <message>
        <source>Another question</source>
        <translation>另一个问题</translation>
    </message>
    <message>
        <source>Edited earlier turn</source>
        <translation>编辑过的较早一轮</translation>
    </message>
    <message>
        <source>Another system prompt</source>
        <translation>另一个系统提示</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>已复用</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>比例</translation>
    </message>
    <message>
        <source>Where each prompt leaves the first one</source>
        <translation>各提示从何处开始与第一个不同</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>First differing token</source>
        <translation>首个不同的词元</translation>
    </message>
    <message>
        <source>Was</source>
        <translation>原为</translation>
    </message>
    <message>
        <source>Is</source>
        <translation>现为</translation>
    </message>
    <message>
        <source>Prompt tokens</source>
        <translation>提示词元</translation>
    </message>
    <message>
        <source>reused</source>
        <translation>已复用</translation>
    </message>
    <message>
        <source>read</source>
        <translation>已读取</translation>
    </message>
    <message>
        <source>Lab: %1</source>
        <translation>实验室：%1</translation>
    </message>
    <message>
        <source>within 10 points</source>
        <translation>误差在 10 个百分点以内</translation>
    </message>
    <message>
        <source>end of the prompt</source>
        <translation>提示末尾</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Whole blocks of %1 tokens are found, and the last block of a prompt is always computed: its last token&apos;s logits are needed.</source>
        <translation>只会找到 %1 个词元的整块，提示的最后一块总要计算：需要其最后一个词元的 logits。</translation>
    </message>
    <message>
        <source>The same chat again: %1 of %2 tokens reused; an edit ends the reuse at the block that holds token %3.</source>
        <translation>同样的对话再来一次：复用 %1 / %2 个词元；编辑使复用止于含词元 %3 的块。</translation>
    </message>
    <message>
        <source>As in the file, KV f16</source>
        <translation>与文件相同，KV f16</translation>
    </message>
    <message>
        <source>Weights %1</source>
        <translation>权重 %1</translation>
    </message>
    <message>
        <source>KV int8</source>
        <translation>KV int8</translation>
    </message>
    <message>
        <source>KV fp8</source>
        <translation>KV fp8</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Weights or KV cache in fewer bits: smaller and perhaps faster, at some cost in quality. The same text is scored and the same three prompts are continued with each type. Perplexity says how surprised the model is by the text, the divergence (KL) how far its predictions moved. The model is loaded again for each type and put back at the end.</source>
        <translation>权重或 KV 缓存使用更少的位：更小，也许更快，但质量有所损失。对每种类型，都给同一段文本评分，并续写同样的三个提示。困惑度表示文本让模型多意外，散度 (KL) 表示其预测偏移了多远。每种类型都会重新加载模型，结束时恢复原状。</translation>
    </message>
    <message>
        <source>Types</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV 缓存</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>Text scored</source>
        <translation>评分的文本</translation>
    </message>
    <message>
        <source>4-bit weights (q4_0): perplexity</source>
        <translation>4 位权重 (q4_0)：困惑度</translation>
    </message>
    <message>
        <source>4-bit weights: tokens a second</source>
        <translation>4 位权重：每秒词元</translation>
    </message>
    <message>
        <source>int8 KV: perplexity</source>
        <translation>int8 KV：困惑度</translation>
    </message>
    <message>
        <source>KV a token</source>
        <translation>每词元 KV</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>KL</source>
        <translation>KL</translation>
    </message>
    <message>
        <source>Three answers side by side, greedy</source>
        <translation>三个回答并列，贪心</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>Speed with q4_0</source>
        <translation>q4_0 的速度</translation>
    </message>
    <message>
        <source>The file as it is: perplexity %1 over %2 positions of a made text.</source>
        <translation>文件原样：在一段生成文本的 %2 个位置上困惑度为 %1。</translation>
    </message>
    <message>
        <source>No type could be run.</source>
        <translation>没有可运行的类型。</translation>
    </message>
    <message>
        <source>KL takes the %1 likeliest tokens of the file&apos;s types one by one and all others together, so it is a lower bound. The text is made of plain repeating sentences: compare types with it, not models. A weight type that the file has already is taken as it is; re-quantizing adds its own error.</source>
        <translation>KL 逐个计入文件类型下最可能的 %1 个词元，其余合并计算，因此是下界。文本由简单重复的句子组成：用它比较类型，不要比较模型。文件已有的权重类型原样使用；重新量化会带来额外误差。</translation>
    </message>
    <message>
        <source>Lab: %1 drafts</source>
        <translation>实验室：%1 个草稿</translation>
    </message>
    <message>
        <source>Speculation</source>
        <translation>推测</translation>
    </message>
    <message>
        <source>Guessed tokens are verified in one step with the next one. With acceptance α and γ drafts a step is expected to give (1−α^(γ+1))/(1−α) tokens, but every draft costs a row. The same text is continued without drafts and with 1 to 8 of them; where does it stop paying? The model is loaded again for each length and put back at the end.</source>
        <translation>猜出的词元与下一个词元在同一步中验证。接受率为 α、草稿数为 γ 时，一步预期产生 (1−α^(γ+1))/(1−α) 个词元，但每个草稿都要花费一行。同一文本分别不用草稿和用 1 到 8 个草稿续写；到哪里就不再划算？每种长度都会重新加载模型，结束时恢复原状。</translation>
    </message>
    <message>
        <source>n-gram: copies from the text</source>
        <translation>n-gram：从文本复制</translation>
    </message>
    <message>
        <source>draft model of the loaded model</source>
        <translation>已加载模型的草稿模型</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Which number of drafts is fastest?</source>
        <translation>多少个草稿最快？</translation>
    </message>
    <message>
        <source>How many times faster than without?</source>
        <translation>是不用草稿时的几倍？</translation>
    </message>
    <message>
        <source>Drafts accepted in each step of the answer</source>
        <translation>回答每一步接受的草稿</translation>
    </message>
    <message>
        <source>step of the answer</source>
        <translation>回答的步骤</translation>
    </message>
    <message>
        <source>%1 drafts</source>
        <translation>%1 个草稿</translation>
    </message>
    <message>
        <source>α</source>
        <translation>α</translation>
    </message>
    <message>
        <source>Tokens a step</source>
        <translation>每步词元</translation>
    </message>
    <message>
        <source>Expected</source>
        <translation>预期</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>(1−α^(γ+1))/(1−α)</source>
        <translation>(1−α^(γ+1))/(1−α)</translation>
    </message>
    <message>
        <source>without drafts</source>
        <translation>无草稿</translation>
    </message>
    <message>
        <source>No drafts</source>
        <translation>无草稿</translation>
    </message>
    <message>
        <source>Fastest</source>
        <translation>最快</translation>
    </message>
    <message>
        <source>Speed-up of the fastest</source>
        <translation>最快者的加速比</translation>
    </message>
    <message>
        <source>Tokens of a step, α = %1 (measured with 4 drafts)</source>
        <translation>每步词元，α = %1（以 4 个草稿实测）</translation>
    </message>
    <message>
        <source>drafts a step</source>
        <translation>每步草稿</translation>
    </message>
    <message>
        <source>Speed-up against plain decoding</source>
        <translation>相对普通解码的加速比</translation>
    </message>
    <message>
        <source>Drafts do not pay here: plain decoding gives %1 tok/s, the best with drafts less.</source>
        <translation>草稿在这里不划算：普通解码为 %1 词元/秒，用草稿最好也更低。</translation>
    </message>
    <message>
        <source>α counts judged drafts only: those behind the first rejected one were not judged. The formula takes them as independent and always offered; an n-gram drafter offers none where it finds no match, so measured tokens may lie below.</source>
        <translation>α 只计经过判断的草稿：首个被拒草稿之后的未经判断。公式假定它们相互独立且总能提供；n-gram 在找不到匹配时不提供草稿，因此实测词元可能偏低。</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>毫秒</translation>
    </message>
    <message>
        <source>nothing off</source>
        <translation>全部开启</translation>
    </message>
    <message>
        <source>paged KV</source>
        <translation>分页 KV</translation>
    </message>
    <message>
        <source>continuous batching</source>
        <translation>连续批处理</translation>
    </message>
    <message>
        <source>prefix cache</source>
        <translation>前缀缓存</translation>
    </message>
    <message>
        <source>chunked prefill</source>
        <translation>分块预填充</translation>
    </message>
    <message>
        <source>weight quantization</source>
        <translation>权重量化</translation>
    </message>
    <message>
        <source>KV quantization</source>
        <translation>KV 量化</translation>
    </message>
    <message>
        <source>speculation</source>
        <translation>推测解码</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA 图</translation>
    </message>
    <message>
        <source>fused kernels</source>
        <translation>融合内核</translation>
    </message>
    <message>
        <source>the same tokens</source>
        <translation>词元相同</translation>
    </message>
    <message>
        <source>OTHER TOKENS</source>
        <translation>词元不同</translation>
    </message>
    <message>
        <source>NLL %1</source>
        <translation>NLL %1</translation>
    </message>
    <message>
        <source>Ablation</source>
        <translation>消融</translation>
    </message>
    <message>
        <source>One optimisation after the other is switched off, and each runs the load that shows it best, in turns with an engine that has all of them on. What does each one buy? A ratio counts only where it exceeds what two equal runs differ by. The loaded model gives way meanwhile and comes back.</source>
        <translation>逐一关闭每项优化，各自运行最能体现它的负载，并与全部开启的引擎交替进行。每一项带来什么？只有超过两次相同运行之间差异的比值才算数。期间已加载的模型会让位，之后恢复。</translation>
    </message>
    <message>
        <source>every one in turn</source>
        <translation>逐一进行</translation>
    </message>
    <message>
        <source>Switched off</source>
        <translation>关闭项</translation>
    </message>
    <message>
        <source>Requests of a load</source>
        <translation>每组负载的请求数</translation>
    </message>
    <message>
        <source>Pairs of runs</source>
        <translation>运行对数</translation>
    </message>
    <message>
        <source>What costs most when it is off?</source>
        <translation>关闭哪一项代价最大？</translation>
    </message>
    <message>
        <source>How many times slower is that?</source>
        <translation>会慢多少倍？</translation>
    </message>
    <message>
        <source>Off, against all on: medians of the runs</source>
        <translation>关闭与全开对比：各次运行的中位数</translation>
    </message>
    <message>
        <source>all on</source>
        <translation>全开</translation>
    </message>
    <message>
        <source>times slower</source>
        <translation>慢的倍数</translation>
    </message>
    <message>
        <source>chance</source>
        <translation>偶然</translation>
    </message>
    <message>
        <source>TTFT ms</source>
        <translation>TTFT 毫秒</translation>
    </message>
    <message>
        <source>TPOT ms</source>
        <translation>TPOT 毫秒</translation>
    </message>
    <message>
        <source>ITL p99 ms</source>
        <translation>ITL p99 毫秒</translation>
    </message>
    <message>
        <source>peak blocks</source>
        <translation>峰值块数</translation>
    </message>
    <message>
        <source>would fit</source>
        <translation>可容纳</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>not measured: %1</source>
        <translation>未测量：%1</translation>
    </message>
    <message>
        <source>Throughput with all on over throughput with one thing off</source>
        <translation>全开吞吐量与关闭一项的吞吐量之比</translation>
    </message>
    <message>
        <source>times slower when off</source>
        <translation>关闭时慢的倍数</translation>
    </message>
    <message>
        <source>chance alone</source>
        <translation>仅偶然</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>All on</source>
        <translation>全开</translation>
    </message>
    <message>
        <source>no more than chance (%1 times)</source>
        <translation>不超过偶然（%1 倍）</translation>
    </message>
    <message>
        <source>%1 times slower when off</source>
        <translation>关闭时慢 %1 倍</translation>
    </message>
    <message>
        <source>%1 times faster when off</source>
        <translation>关闭时快 %1 倍</translation>
    </message>
    <message>
        <source>Costs most when off</source>
        <translation>关闭时代价最大</translation>
    </message>
    <message>
        <source>nothing beyond chance</source>
        <translation>没有超出偶然的</translation>
    </message>
    <message>
        <source>Times slower</source>
        <translation>慢的倍数</translation>
    </message>
    <message>
        <source>Nothing that was switched off cost more than two equal runs differ by.</source>
        <translation>关闭的各项代价都不超过两次相同运行之间的差异。</translation>
    </message>
    <message>
        <source>Without %1 the load runs %2 times slower: %3 instead of %4 tok/s.</source>
        <translation>没有%1时负载慢 %2 倍：%3 而不是 %4 tok/s。</translation>
    </message>
    <message>
        <source>%1: loading</source>
        <translation>%1：正在加载</translation>
    </message>
    <message>
        <source>%1: run %2 of %3</source>
        <translation>%1：第 %2 次运行，共 %3 次</translation>
    </message>
    <message>
        <source>%1 must not change any token, and it did: that is a fault, please report it.</source>
        <translation>%1 不应改变任何词元，但确实改变了：这是缺陷，请报告。</translation>
    </message>
    <message>
        <source>Recording %1</source>
        <translation>录制 %1</translation>
    </message>
    <message>
        <source>%1: there is no request in it.</source>
        <translation>%1：其中没有请求。</translation>
    </message>
    <message>
        <source>Send some first, or make requests from the values.</source>
        <translation>请先发送一些请求，或用下面的数值生成请求。</translation>
    </message>
    <message>
        <source>%1: no request in it has a prompt and an answer.</source>
        <translation>%1：其中没有同时带提示词和回答的请求。</translation>
    </message>
    <message>
        <source>Send some requests first, or choose another trace.</source>
        <translation>请先发送一些请求，或选择其他跟踪。</translation>
    </message>
    <message>
        <source>1 request, prompt %1, answer %2 tokens</source>
        <translation>1 个请求，提示 %1、回答 %2 个词元</translation>
    </message>
    <message>
        <source>%1 requests at once, prompts of 8 to 64, answers of 8 to 48 tokens</source>
        <translation>同时 %1 个请求，提示 8 到 64、回答 8 到 48 个词元</translation>
    </message>
    <message>
        <source>the same %1 requests, arriving at random every %2 ms</source>
        <translation>同样的 %1 个请求，平均每 %2 毫秒随机到达</translation>
    </message>
    <message>
        <source>%1 requests that share %2 of %3 prompt tokens</source>
        <translation>%1 个请求，%3 个提示词元中共享 %2 个</translation>
    </message>
    <message>
        <source>%1 requests decode while %2 prompts of %3 tokens arrive</source>
        <translation>%1 个请求正在解码时，到达 %2 个 %3 词元的提示</translation>
    </message>
    <message>
        <source>%1 requests whose answer is in the prompt, greedy</source>
        <translation>%1 个请求，回答就在提示里，贪心采样</translation>
    </message>
    <message>
        <source>%1 requests with prompts of %2 tokens</source>
        <translation>%1 个请求，提示 %2 个词元</translation>
    </message>
    <message>
        <source>Choose a result that the Lab page saved.</source>
        <translation>请选择实验室页面保存的结果。</translation>
    </message>
    <message>
        <source>The result is damaged: chart %1 is out of range.</source>
        <translation>结果已损坏：图表 %1 超出范围。</translation>
    </message>
    <message>
        <source>Choose another file, or run the experiment again.</source>
        <translation>请选择其他文件，或重新运行实验。</translation>
    </message>
    <message>
        <source>No decode step was recorded.</source>
        <translation>没有记录到解码步骤。</translation>
    </message>
    <message>
        <source>Ask for more tokens.</source>
        <translation>请要求更多词元。</translation>
    </message>
    <message>
        <source>Running %1 requests of %2 tokens</source>
        <translation>正在运行 %1 个请求，各 %2 个词元</translation>
    </message>
    <message>
        <source>1 draft</source>
        <translation>1 个草稿</translation>
    </message>
    <message>
        <source>Fastest with %1: %2 tok/s against %3, %4 times; α is %5.</source>
        <translation>%1 最快：%2 tok/s 对 %3，%4 倍；α 为 %5。</translation>
    </message>
    <message>
        <source>1 request whose answer is in the prompt, greedy</source>
        <translation>1 个请求，其回答就在提示词中，贪心</translation>
    </message>
    <message>
        <source>1 request with a prompt of %1 tokens</source>
        <translation>1 个请求，提示词为 %1 个词元</translation>
    </message>
    <message>
        <source>8 requests never decoded at once here, so what they would give stays open.</source>
        <translation>这里从未有 8 个请求同时解码，因此其结果仍不得而知。</translation>
    </message>
    <message>
        <source>KV bytes a token</source>
        <translation>每词元 KV 字节数</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Each pair of values is off / all on. All on means int8 KV and drafts by n-grams; the context is %1 tokens. The same as: %2</source>
        <translation>每对数值为 关闭 / 全开。全开表示 int8 KV 和 n-gram 草稿；上下文为 %1 个词元。等同于：%2</translation>
    </message>
    <message>
        <source>The context holds %1 tokens, and %2 are needed. Load the model with a longer context.</source>
        <translation>上下文可容纳 %1 个词元，而需要 %2 个。请以更长的上下文加载模型。</translation>
    </message>
    <message>
        <source>The file has no field vitrine_experiment of version 1 to %1.</source>
        <translation>文件中没有版本 1 至 %1 的 vitrine_experiment 字段。</translation>
    </message>
    <message>
        <source>The result is damaged: a text of it cannot be read.</source>
        <translation>结果已损坏：其中一段文字无法读取。</translation>
    </message>
    <message>
        <source>%1 requests decode while a prompt of %2 tokens arrives</source>
        <translation>%1 个请求正在解码时，到达一个 %2 词元的提示</translation>
    </message>
</context>
<context>
    <name>LabPage</name>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Picture (PNG)…</source>
        <translation>图片 (PNG)…</translation>
    </message>
    <message>
        <source>Table (CSV)…</source>
        <translation>表格 (CSV)…</translation>
    </message>
    <message>
        <source>JSON…</source>
        <translation>JSON…</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>● running: %1</source>
        <translation>● 运行中：%1</translation>
    </message>
    <message>
        <source>Another experiment runs: %1. Stop it, or wait for its end.</source>
        <translation>另一个实验正在运行：%1。请停止它，或等待其结束。</translation>
    </message>
    <message>
        <source>%1 requests run or wait now; this experiment loads the model anew and would end them. Wait for their end.</source>
        <translation>现有 %1 个请求在运行或等待；此实验会重新加载模型并终止它们。请等待其结束。</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Save the result</source>
        <translation>保存结果</translation>
    </message>
    <message>
        <source>Export the result</source>
        <translation>导出结果</translation>
    </message>
    <message>
        <source>The result was not written</source>
        <translation>结果未能写入</translation>
    </message>
    <message>
        <source>%1: %2. Choose another folder.</source>
        <translation>%1：%2。请选择其他文件夹。</translation>
    </message>
    <message>
        <source>%1 cannot be read.</source>
        <translation>无法读取 %1。</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>请选择其他文件。</translation>
    </message>
    <message>
        <source>The file holds the experiment “%1”, which this version does not have.</source>
        <translation>该文件包含实验“%1”，此版本没有该实验。</translation>
    </message>
    <message>
        <source>The result was not opened</source>
        <translation>结果未能打开</translation>
    </message>
    <message>
        <source>Use this session again</source>
        <translation>改用本次会话</translation>
    </message>
    <message>
        <source>requests of %1</source>
        <translation>%1 的请求</translation>
    </message>
    <message>
        <source>Open a result or a recording</source>
        <translation>打开结果或录制</translation>
    </message>
    <message>
        <source>Results and recordings</source>
        <translation>结果和录制</translation>
    </message>
    <message>
        <source>The experiment was stopped; nothing of it is kept.</source>
        <translation>实验已停止，没有保留任何内容。</translation>
    </message>
    <message>
        <source>Run it again when you like.</source>
        <translation>可随时重新运行。</translation>
    </message>
</context>
<context>
    <name>LaneSheet</name>
    <message>
        <source>chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>API</source>
        <translation>API</translation>
    </message>
    <message>
        <source>laboratory</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>prefill</source>
        <translation>预填充</translation>
    </message>
    <message>
        <source>decode</source>
        <translation>解码</translation>
    </message>
    <message>
        <source>verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>preempted</source>
        <translation>被抢占</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已结束</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Zoom to it</source>
        <translation>缩放到此</translation>
    </message>
    <message>
        <source>Close the request</source>
        <translation>关闭请求</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>工作</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Steps of the request</source>
        <translation>请求的步骤</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
    <message>
        <source>From the cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>KV blocks, most</source>
        <translation>KV 块，峰值</translation>
    </message>
    <message>
        <source>Waited</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>每词元时间</translation>
    </message>
    <message>
        <source>In the system</source>
        <translation>在系统中</translation>
    </message>
    <message>
        <source>Preempted</source>
        <translation>被抢占</translation>
    </message>
    <message>
        <source>End</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>still running</source>
        <translation>仍在运行</translation>
    </message>
    <message>
        <source>submitted</source>
        <translation>已提交</translation>
    </message>
</context>
<context>
    <name>LatestPill</name>
    <message>
        <source>Latest</source>
        <translation>最新</translation>
    </message>
    <message>
        <source>Jump to the latest text and follow</source>
        <translation>跳到最新文本并跟随</translation>
    </message>
    <message>
        <source>Jump to the latest text and follow (End)</source>
        <translation>跳到最新文本并跟随 (End)</translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>This link is not opened.</source>
        <translation>不打开此链接。</translation>
    </message>
    <message>
        <source>%1 is no web address; only http and https lead out of an answer.</source>
        <translation>%1 不是网页地址；回答中的链接只允许 http 和 https。</translation>
    </message>
    <message>
        <source>Open this page in the browser?</source>
        <translation>在浏览器中打开此页面？</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
</context>
<context>
    <name>LoadProgress</name>
    <message>
        <source>Load progress</source>
        <translation>加载进度</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>KV pool</source>
        <translation>KV 池</translation>
    </message>
    <message>
        <source>warming up</source>
        <translation>正在预热</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Model %1</source>
        <translation>模型 %1</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>新对话</translation>
    </message>
    <message>
        <source>New temporary chat</source>
        <translation>新建临时对话</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>在此对话中查找</translation>
    </message>
    <message>
        <source>Find in all chats</source>
        <translation>在所有对话中查找</translation>
    </message>
    <message>
        <source>Regenerate the answer</source>
        <translation>重新生成回答</translation>
    </message>
    <message>
        <source>Previous branch</source>
        <translation>上一个分支</translation>
    </message>
    <message>
        <source>Next branch</source>
        <translation>下一个分支</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>复制最后的回答</translation>
    </message>
    <message>
        <source>Copy the last code block</source>
        <translation>复制最后的代码块</translation>
    </message>
    <message>
        <source>Show or hide the inspector</source>
        <translation>显示或隐藏检查器</translation>
    </message>
    <message>
        <source>Show or hide the chat list</source>
        <translation>显示或隐藏对话列表</translation>
    </message>
    <message>
        <source>Import chats</source>
        <translation>导入对话</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Open a model file</source>
        <translation>打开模型文件</translation>
    </message>
    <message>
        <source>Unload the model</source>
        <translation>卸载模型</translation>
    </message>
    <message>
        <source>Forget cached prefixes</source>
        <translation>清除缓存的前缀</translation>
    </message>
    <message>
        <source>Server on or off</source>
        <translation>打开或关闭服务器</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Text larger</source>
        <translation>放大文字</translation>
    </message>
    <message>
        <source>Text smaller</source>
        <translation>缩小文字</translation>
    </message>
    <message>
        <source>Text at 100 %</source>
        <translation>文字 100 %</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>命令面板</translation>
    </message>
    <message>
        <source>Second chat beside this one</source>
        <translation>在旁边打开第二个对话</translation>
    </message>
    <message>
        <source>Lab</source>
        <translation>实验室</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Appearance: like the system</source>
        <translation>外观：跟随系统</translation>
    </message>
    <message>
        <source>Appearance: light</source>
        <translation>外观：浅色</translation>
    </message>
    <message>
        <source>Appearance: dark</source>
        <translation>外观：深色</translation>
    </message>
    <message>
        <source>Appearance: high contrast</source>
        <translation>外观：高对比度</translation>
    </message>
    <message>
        <source>Settings: language, start, close</source>
        <translation>设置：语言、启动、关闭</translation>
    </message>
    <message>
        <source>Settings: system prompt, temperature</source>
        <translation>设置：系统提示词、温度</translation>
    </message>
    <message>
        <source>Settings: device, unload when idle</source>
        <translation>设置：设备、空闲时卸载</translation>
    </message>
    <message>
        <source>Settings: folders, backup</source>
        <translation>设置：文件夹、备份</translation>
    </message>
    <message>
        <source>About Vitrine</source>
        <translation>关于 Vitrine</translation>
    </message>
</context>
<context>
    <name>MessageListModel</name>
    <message>
        <source>You: %1</source>
        <translation>你：%1</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>回答：%1</translation>
    </message>
</context>
<context>
    <name>MessageView</name>
    <message>
        <source>You: %1</source>
        <translation>你：%1</translation>
    </message>
    <message>
        <source>Answer: %1</source>
        <translation>回答：%1</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Select all</source>
        <translation>全选</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>MissText</name>
    <message>
        <source>the text differs from the cached one at token %1, where %2 was expected and %3 came.</source>
        <translation>文本从第 %1 个词元起与缓存的不同，预期 %2，实际 %3。</translation>
    </message>
    <message>
        <source>their blocks went to other requests %1 s ago.</source>
        <translation>它们的块在 %1 秒前给了其他请求。</translation>
    </message>
    <message>
        <source>they are cached for another %1.</source>
        <translation>它们是为另一个%1缓存的。</translation>
    </message>
    <message>
        <source>they were never computed before.</source>
        <translation>它们以前从未计算过。</translation>
    </message>
    <message>
        <source>the last block is computed again, since the answer begins behind it.</source>
        <translation>最后一个块要重新计算，因为回答从它之后开始。</translation>
    </message>
    <message>
        <source>the end of the prompt does not fill a block.</source>
        <translation>提示的末尾不足一个块。</translation>
    </message>
    <message>
        <source>the look-up is off for this request.</source>
        <translation>此请求关闭了查找。</translation>
    </message>
    <message>
        <source>LoRA adapter</source>
        <translation>LoRA 适配器</translation>
    </message>
    <message>
        <source>cache salt or key</source>
        <translation>缓存盐或密钥</translation>
    </message>
    <message>
        <source>%1 of %2 tokens were not in the cache: %3</source>
        <translation>%2 个词元中有 %1 个不在缓存中：%3</translation>
    </message>
</context>
<context>
    <name>ModelButton</name>
    <message>
        <source>No model</source>
        <translation>无模型</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>选择模型</translation>
    </message>
    <message>
        <source>Model: %1 %2</source>
        <translation>模型：%1 %2</translation>
    </message>
    <message>
        <source>Choose a model (Ctrl+L)</source>
        <translation>选择模型 (Ctrl+L)</translation>
    </message>
</context>
<context>
    <name>ModelChoiceRow</name>
    <message>
        <source>Load %1 %2, %3 %4</source>
        <translation>加载 %1 %2，%3 %4</translation>
    </message>
    <message>
        <source>found in %1</source>
        <translation>来自 %1</translation>
    </message>
    <message>
        <source>Cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>%1 %2, %3, loaded</source>
        <translation>%1 %2，%3，已加载</translation>
    </message>
</context>
<context>
    <name>ModelDetails</name>
    <message>
        <source>Show in its folder</source>
        <translation>在文件夹中显示</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>占用</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>并行</translation>
    </message>
    <message>
        <source>KV type</source>
        <translation>KV 类型</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>加载</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>卸载</translation>
    </message>
    <message>
        <source>Copy report</source>
        <translation>复制报告</translation>
    </message>
    <message>
        <source>No model chosen</source>
        <translation>未选择模型</translation>
    </message>
    <message>
        <source>Choose a file in the table, or drop a .gguf anywhere in the window.</source>
        <translation>请在表中选择文件，或将 .gguf 拖到窗口中任意位置。</translation>
    </message>
    <message>
        <source>%1 · %2 layers · %3 KV heads × %4</source>
        <translation>%1 · %2 层 · %3 个 KV 头 × %4</translation>
    </message>
    <message>
        <source>✓ Chat template in the file</source>
        <translation>✓ 文件中有对话模板</translation>
    </message>
    <message>
        <source>Architecture %1, embedding %2, feed-forward %3, %4 heads</source>
        <translation>架构 %1，嵌入 %2，前馈 %3，%4 个头</translation>
    </message>
    <message>
        <source>Vocabulary %1, tokenizer %2 %3</source>
        <translation>词表 %1，分词器 %2 %3</translation>
    </message>
    <message>
        <source>Weights: %1</source>
        <translation>权重：%1</translation>
    </message>
    <message>
        <source>Sliding window %1 tokens</source>
        <translation>滑动窗口 %1 个词元</translation>
    </message>
    <message>
        <source>Licence %1</source>
        <translation>许可证 %1</translation>
    </message>
    <message>
        <source>Load again</source>
        <translation>重新加载</translation>
    </message>
    <message>
        <source>Load as %1</source>
        <translation>按 %1 加载</translation>
    </message>
    <message>
        <source>%1/tok</source>
        <translation>%1/词元</translation>
    </message>
    <message>
        <source>cannot be planned</source>
        <translation>无法预估</translation>
    </message>
    <message>
        <source>%1, %2 free</source>
        <translation>%1，可用 %2</translation>
    </message>
    <message>
        <source>%1 blocks of %2 tokens; memory for %3 full contexts.</source>
        <translation>%1 个块，每块 %2 个词元；内存可容纳 %3 个完整上下文。</translation>
    </message>
    <message>
        <source>Loaded now: predicted %1, measured %2.</source>
        <translation>当前已加载：预计 %1，实测 %2。</translation>
    </message>
    <message>
        <source>%1 is replaced, so its memory counts as free.</source>
        <translation>%1 将被替换，其内存计为可用。</translation>
    </message>
    <message>
        <source>Not loaded: %1</source>
        <translation>未加载：%1</translation>
    </message>
    <message>
        <source>%1 stays loaded and goes on answering.</source>
        <translation>%1 保持加载并继续回答。</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Write this model in another type, and see what that costs</source>
        <translation>将此模型写成另一种类型，并查看代价</translation>
    </message>
    <message>
        <source>%1 layers on %2 (%3 of %4 free)</source>
        <translation>%2 上 %1 层（需 %3，可用 %4）</translation>
    </message>
    <message>
        <source>GPU layers</source>
        <translation>GPU 层数</translation>
    </message>
    <message>
        <source>The first layers run on the GPU, the others on the CPU</source>
        <translation>前面的层在 GPU 上运行，其余的在 CPU 上运行</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Back to the list</source>
        <translation>返回列表</translation>
    </message>
    <message>
        <source>No chat template in this file: it goes on with a text and does not chat.</source>
        <translation>此文件没有聊天模板：它续写文本，不会聊天。</translation>
    </message>
</context>
<context>
    <name>ModelListModel</name>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source>Opened from elsewhere</source>
        <translation>从其他位置打开</translation>
    </message>
    <message>
        <source>%1  ·  folder offline</source>
        <translation>%1  ·  文件夹不可用</translation>
    </message>
    <message>
        <source>%1  ·  no model file</source>
        <translation>%1  ·  没有模型文件</translation>
    </message>
    <message numerus="yes">
        <source>%1  ·  %n model(s), used in place</source>
        <translation>
            <numerusform>%1  ·  %n 个模型，就地使用</numerusform>
        </translation>
    </message>
    <message>
        <source>%1  ·  %2 model, %3</source>
        <translation>%1  ·  %2 个模型，%3</translation>
    </message>
    <message>
        <source>%1  ·  %2 models, %3</source>
        <translation>%1  ·  %2 个模型，%3</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>已加载</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>正在加载</translation>
    </message>
    <message>
        <source>Offline</source>
        <translation>不可用</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>词表</translation>
    </message>
    <message>
        <source>No template</source>
        <translation>无模板</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就绪</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Params</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Quant</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Last used</source>
        <translation>上次使用</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>GGUF models</source>
        <translation>GGUF 模型</translation>
    </message>
    <message>
        <source>Get models (%1)</source>
        <translation>获取模型 (%1)</translation>
    </message>
    <message>
        <source>Get models</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Search models</source>
        <translation>搜索模型</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Open file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>添加存放模型的文件夹</translation>
    </message>
    <message>
        <source>Model files</source>
        <translation>模型文件</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>获取模型</translation>
    </message>
    <message>
        <source>Open a file</source>
        <translation>打开文件</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>No model is called “%1”</source>
        <translation>没有名为“%1”的模型</translation>
    </message>
    <message>
        <source>No model yet</source>
        <translation>还没有模型</translation>
    </message>
    <message>
        <source>Names, paths and quantizations are searched.</source>
        <translation>搜索名称、路径和量化类型。</translation>
    </message>
    <message>
        <source>Models are .gguf files. Those of LM Studio, Ollama and the Hugging Face cache are found and used where they are.</source>
        <translation>模型是 .gguf 文件。LM Studio、Ollama 和 Hugging Face 缓存中的模型会被找到，并在原处使用。</translation>
    </message>
</context>
<context>
    <name>NavigationRail</name>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
</context>
<context>
    <name>OriginList</name>
    <message>
        <source>no origin allowed</source>
        <translation>未允许任何来源</translation>
    </message>
    <message>
        <source>Add origin</source>
        <translation>添加来源</translation>
    </message>
    <message>
        <source>Allow a web page</source>
        <translation>允许一个网页</translation>
    </message>
    <message>
        <source>Its origin: scheme, host and port, as http://localhost:3000</source>
        <translation>其来源：协议、主机和端口，例如 http://localhost:3000</translation>
    </message>
    <message>
        <source>“%1” is no origin</source>
        <translation>“%1”不是来源</translation>
    </message>
    <message>
        <source>An origin is a scheme, a host and perhaps a port, without a path: https://notes.example or http://localhost:3000. Every page of that origin could then use the model.</source>
        <translation>来源由协议、主机和可选的端口组成，不含路径：https://notes.example 或 http://localhost:3000。该来源的每个页面都可以使用模型。</translation>
    </message>
    <message>
        <source>Allowed origin %1, Delete removes it</source>
        <translation>允许的来源 %1，按 Delete 移除</translation>
    </message>
</context>
<context>
    <name>PositionBars</name>
    <message>
        <source>Accepted drafts by position</source>
        <translation>各位置接受的草稿</translation>
    </message>
    <message>
        <source>Of the drafts offered at each position of a step, how many the model accepted; over the window or the selection</source>
        <translation>一步中每个位置提供的草稿里，模型接受了多少；按时间范围或所选范围统计</translation>
    </message>
    <message>
        <source>position %1: %2 of %3</source>
        <translation>位置 %1：%2 / %3</translation>
    </message>
    <message>
        <source>no drafts in this window</source>
        <translation>此时间范围内没有草稿</translation>
    </message>
    <message>
        <source>Accepted by position</source>
        <translation>各位置的接受数</translation>
    </message>
    <message>
        <source>draft %1</source>
        <translation>草稿 %1</translation>
    </message>
</context>
<context>
    <name>PresetBar</name>
    <message>
        <source>Preset of this chat</source>
        <translation>此对话的预设</translation>
    </message>
    <message>
        <source>Save or delete presets</source>
        <translation>保存或删除预设</translation>
    </message>
    <message>
        <source>No preset</source>
        <translation>无预设</translation>
    </message>
    <message>
        <source>Save as a preset…</source>
        <translation>保存为预设…</translation>
    </message>
    <message>
        <source>Delete preset %1</source>
        <translation>删除预设 %1</translation>
    </message>
    <message>
        <source>Save as a preset</source>
        <translation>保存为预设</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Replace the preset %1?</source>
        <translation>替换预设 %1？</translation>
    </message>
    <message>
        <source>Its system prompt and sampling are overwritten.</source>
        <translation>其系统提示和采样设置将被覆盖。</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>替换</translation>
    </message>
    <message>
        <source>Delete the preset %1?</source>
        <translation>删除预设 %1？</translation>
    </message>
    <message>
        <source>Chats that use it keep their prompt and sampling.</source>
        <translation>使用它的对话保留其提示词和采样设置。</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>PulseStrip</name>
    <message>
        <source>Engine pulse</source>
        <translation>引擎脉搏</translation>
    </message>
    <message>
        <source>No model is loaded. Click: Models</source>
        <translation>没有加载模型。点击：模型</translation>
    </message>
    <message>
        <source>%1, %2, on %3. Click: Models</source>
        <translation>%1，%2，在 %3 上。点击：模型</translation>
    </message>
    <message>
        <source>Choose a model file</source>
        <translation>选择模型文件</translation>
    </message>
    <message>
        <source>Stop loading; the model of before stays</source>
        <translation>停止加载；之前的模型保留</translation>
    </message>
    <message>
        <source>KV blocks in use: %1 of %2 are held by running requests; %3 more hold reusable prefixes; %4 are free. Click: this plot, last 60 s</source>
        <translation>使用中的 KV 块：%2 个中有 %1 个属于运行中的请求；另有 %3 个保存可复用的前缀；%4 个空闲。点击：此图表，最近 60 秒</translation>
    </message>
    <message>
        <source>Sequences that run in the batch, and those that wait for room. Click: their lanes</source>
        <translation>在批中运行的序列，以及等待空位的序列。点击：它们的泳道</translation>
    </message>
    <message>
        <source>Tokens made per second, the sum of all requests over the last 10 s. Click: this plot</source>
        <translation>每秒生成的词元，最近 10 秒所有请求之和。点击：此图表</translation>
    </message>
    <message>
        <source>Share of prompt tokens found in the prefix cache instead of computed, last 60 s. Click: this plot</source>
        <translation>在前缀缓存中找到而无需计算的提示词元比例，最近 60 秒。点击：此图表</translation>
    </message>
    <message>
        <source>Draft tokens accepted in one step of one sequence; a bar for each draft position. Click: this plot</source>
        <translation>一个序列一步中接受的草稿词元；每个草稿位置一根条。点击：此图表</translation>
    </message>
    <message>
        <source>The endpoint answers on port %1. Click: Server</source>
        <translation>端点在端口 %1 上应答。点击：服务器</translation>
    </message>
    <message>
        <source>The endpoint is off. Click: Server</source>
        <translation>端点已关闭。点击：服务器</translation>
    </message>
    <message>
        <source>server on port %1</source>
        <translation>服务器端口 %1</translation>
    </message>
    <message>
        <source>server off</source>
        <translation>服务器关</translation>
    </message>
    <message>
        <source>No model loaded, %1</source>
        <translation>没有加载模型，%1</translation>
    </message>
    <message>
        <source>Loading %1, %2 of %3</source>
        <translation>正在加载 %1，%2 / %3</translation>
    </message>
    <message>
        <source>%1, %2 of %3 KV blocks, %4 running, %5 waiting, %6 tokens per second, prefix %7, %8</source>
        <translation>%1，%3 个 KV 块中的 %2 个，%4 个运行，%5 个等待，每秒 %6 个词元，前缀 %7，%8</translation>
    </message>
    <message>
        <source>No model loaded</source>
        <translation>没有加载模型</translation>
    </message>
    <message>
        <source>reading the file</source>
        <translation>正在读取文件</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source> run · </source>
        <translation> 运行 · </translation>
    </message>
    <message>
        <source> wait</source>
        <translation> 等待</translation>
    </message>
    <message>
        <source> tok/s</source>
        <translation> 词元/秒</translation>
    </message>
    <message>
        <source>accept </source>
        <translation>接受 </translation>
    </message>
    <message>
        <source>server </source>
        <translation>服务器 </translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>打开模型</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>prefix </source>
        <translation>前缀 </translation>
    </message>
    <message>
        <source>This server does not tell how many KV blocks it has. Click: what it tells</source>
        <translation>该服务器不告知 KV 块数。点击：查看它告知的内容</translation>
    </message>
    <message>
        <source>%1, on %2. Click: Models</source>
        <translation>%1，运行于 %2。点击：模型</translation>
    </message>
</context>
<context>
    <name>QualityView</name>
    <message>
        <source>What it cost</source>
        <translation>代价</translation>
    </message>
    <message>
        <source>Figures of the report</source>
        <translation>报告数据</translation>
    </message>
    <message>
        <source>Three answers, before and after</source>
        <translation>三个回答，之前与之后</translation>
    </message>
    <message>
        <source>Matrices, the largest error first</source>
        <translation>矩阵，误差最大的在前</translation>
    </message>
    <message>
        <source>Errors of the matrices</source>
        <translation>矩阵误差</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>源模型</translation>
    </message>
    <message>
        <source>Quantized</source>
        <translation>量化后</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Bits a weight</source>
        <translation>每权重位数</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>困惑度</translation>
    </message>
    <message>
        <source>KL, mean</source>
        <translation>KL，平均</translation>
    </message>
    <message>
        <source>KL, 99.9 % of places</source>
        <translation>KL，99.9 % 的位置</translation>
    </message>
    <message>
        <source>Same first choice, %</source>
        <translation>首选相同，%</translation>
    </message>
    <message>
        <source>Over %1 places of a text that comes with the program.</source>
        <translation>在程序自带文本的 %1 个位置上。</translation>
    </message>
    <message>
        <source>%1
Before: %2
After: %3</source>
        <translation>%1
之前：%2
之后：%3</translation>
    </message>
    <message>
        <source>Matrix</source>
        <translation>矩阵</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>Error, %</source>
        <translation>误差，%</translation>
    </message>
</context>
<context>
    <name>QuantPicker</name>
    <message>
        <source>Quantization</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>bits/w</source>
        <translation>位/权重</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>放得下</translation>
    </message>
    <message>
        <source>As in the file</source>
        <translation>与文件相同</translation>
    </message>
    <message>
        <source>Tokens a second of the last long answer with these weights</source>
        <translation>使用这些权重时上一个长回答的每秒词元数</translation>
    </message>
    <message>
        <source>not possible</source>
        <translation>不可行</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>%1 over</source>
        <translation>超出 %1</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>%1, in the file</source>
        <translation>%1，文件内</translation>
    </message>
</context>
<context>
    <name>QuantizationRunner</name>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>Choose another text.</source>
        <translation>请选择其他文本。</translation>
    </message>
</context>
<context>
    <name>QuantizePanel</name>
    <message>
        <source>GPTQ, sees a text</source>
        <translation>GPTQ，需要文本</translation>
    </message>
    <message>
        <source>AWQ, sees a text</source>
        <translation>AWQ，需要文本</translation>
    </message>
    <message>
        <source>Round to nearest</source>
        <translation>就近舍入</translation>
    </message>
    <message>
        <source>Watching the text: %1 of %2</source>
        <translation>观察文本：%1 / %2</translation>
    </message>
    <message>
        <source>Writing: %1 of %2</source>
        <translation>写入：%1 / %2</translation>
    </message>
    <message>
        <source>Comparing with the source: %1 of %2 tokens</source>
        <translation>与源模型比较：%1 / %2 个词元</translation>
    </message>
    <message>
        <source>Back to the details</source>
        <translation>返回详情</translation>
    </message>
    <message>
        <source>%1, a folder of safetensors</source>
        <translation>%1，safetensors 文件夹</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>类型</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>方法</translation>
    </message>
    <message>
        <source>Choose a text</source>
        <translation>选择文本</translation>
    </message>
    <message>
        <source>Text it sees</source>
        <translation>所用文本</translation>
    </message>
    <message>
        <source>Browse</source>
        <translation>浏览</translation>
    </message>
    <message>
        <source>Choose where to write</source>
        <translation>选择写入位置</translation>
    </message>
    <message>
        <source>Written to</source>
        <translation>写入到</translation>
    </message>
    <message>
        <source>Compare with the source afterwards</source>
        <translation>完成后与源模型比较</translation>
    </message>
    <message>
        <source>Progress of the quantization</source>
        <translation>量化进度</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Cancel the quantization</source>
        <translation>取消量化</translation>
    </message>
    <message>
        <source>Save report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Quantize %1</source>
        <translation>量化 %1</translation>
    </message>
    <message>
        <source>Say where the model is to be written.</source>
        <translation>请指定模型的写入位置。</translation>
    </message>
    <message>
        <source>%1 is there already: choose another name.</source>
        <translation>%1 已存在：请换一个名称。</translation>
    </message>
    <message>
        <source>This method watches the model at work: choose a text, a few pages of what it will be asked.</source>
        <translation>此方法会观察模型的运行：请选择一段文本，几页它将被问到的内容。</translation>
    </message>
    <message>
        <source>Write the model to</source>
        <translation>将模型写入</translation>
    </message>
    <message>
        <source>GGUF models</source>
        <translation>GGUF 模型</translation>
    </message>
    <message>
        <source>Folder that takes the model</source>
        <translation>存放模型的文件夹</translation>
    </message>
    <message>
        <source>Texts</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Reading the source</source>
        <translation>正在读取源模型</translation>
    </message>
    <message>
        <source>%1 is written.</source>
        <translation>%1 已写入。</translation>
    </message>
    <message>
        <source>Save the report</source>
        <translation>保存报告</translation>
    </message>
    <message>
        <source>Reports</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>The report was not saved: %1</source>
        <translation>报告未保存：%1</translation>
    </message>
</context>
<context>
    <name>ReadingTableModel</name>
    <message>
        <source> restarted</source>
        <translation> 已重启</translation>
    </message>
    <message>
        <source>Age s</source>
        <translation>时间 秒</translation>
    </message>
    <message>
        <source>Running</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>KV %</source>
        <translation>KV %</translation>
    </message>
    <message>
        <source>Prompt tok</source>
        <translation>提示词元</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>已生成</translation>
    </message>
    <message>
        <source>Looked up</source>
        <translation>已查找</translation>
    </message>
    <message>
        <source>Hits</source>
        <translation>命中</translation>
    </message>
    <message>
        <source>Drafted</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>接受</translation>
    </message>
    <message>
        <source>Preempted</source>
        <translation>抢占</translation>
    </message>
    <message>
        <source> own requests</source>
        <translation> 仅本机请求</translation>
    </message>
</context>
<context>
    <name>ReasoningFold</name>
    <message>
        <source>%1, show or hide</source>
        <translation>%1，显示或隐藏</translation>
    </message>
</context>
<context>
    <name>Remote</name>
    <message>
        <source>%1 ended the answer: %2</source>
        <translation>%1 终止了回答：%2</translation>
    </message>
    <message>
        <source>Try again; the server&apos;s own log says more.</source>
        <translation>请重试；服务器自身的日志中有更多信息。</translation>
    </message>
    <message>
        <source>This request has no form in the chat API of a server</source>
        <translation>此请求无法用服务器的聊天 API 表达</translation>
    </message>
    <message>
        <source>Ask it of a model on this computer.</source>
        <translation>请向本机上的模型发送。</translation>
    </message>
    <message>
        <source>This server offers no way to continue an answer</source>
        <translation>此服务器不支持续写回答</translation>
    </message>
    <message>
        <source>Regenerate the answer, or send a further turn.</source>
        <translation>请重新生成回答，或发送新的一轮消息。</translation>
    </message>
    <message>
        <source>it gives no reason</source>
        <translation>未说明原因</translation>
    </message>
    <message>
        <source>%1 bytes of its stream are no JSON (%2)</source>
        <translation>其数据流中有 %1 字节不是 JSON（%2）</translation>
    </message>
    <message>
        <source>no object</source>
        <translation>不是对象</translation>
    </message>
    <message>
        <source>%1 has no metrics page</source>
        <translation>%1 没有指标页面</translation>
    </message>
    <message>
        <source>Start SGLang with --enable-metrics and llama-server with --metrics; llama-cpp-python has none.</source>
        <translation>请用 --enable-metrics 启动 SGLang，用 --metrics 启动 llama-server；llama-cpp-python 没有指标页面。</translation>
    </message>
    <message>
        <source>%1 does not give its metrics</source>
        <translation>%1 不提供指标</translation>
    </message>
    <message>
        <source>Start llama-server with --metrics.</source>
        <translation>请用 --metrics 启动 llama-server。</translation>
    </message>
    <message>
        <source>None of the %1 samples on its metrics page has a name of an engine that Vitrine knows.</source>
        <translation>其指标页面上的 %1 个样本中，没有 Vitrine 认识的引擎名称。</translation>
    </message>
    <message>
        <source>%1 sent an event of more than %2 bytes</source>
        <translation>%1 发送了超过 %2 字节的事件</translation>
    </message>
    <message>
        <source>See that the address is that of an OpenAI-compatible server.</source>
        <translation>请确认该地址属于兼容 OpenAI 的服务器。</translation>
    </message>
    <message>
        <source>%1 closed the connection after %2 tokens without saying that the answer was complete</source>
        <translation>%1 在 %2 个词元后关闭了连接，且未表明回答已完成</translation>
    </message>
    <message>
        <source>A server elsewhere opens no file of this computer</source>
        <translation>远程服务器不会打开本机上的文件</translation>
    </message>
    <message>
        <source>Choose this computer first.</source>
        <translation>请先选择本机。</translation>
    </message>
    <message>
        <source>The connection to the server has ended</source>
        <translation>与服务器的连接已结束</translation>
    </message>
    <message>
        <source>Choose the server again.</source>
        <translation>请重新选择该服务器。</translation>
    </message>
    <message>
        <source>This program already waits for %1 answers of this server</source>
        <translation>本程序已在等待此服务器的 %1 个回答</translation>
    </message>
    <message>
        <source>Wait for one of them.</source>
        <translation>请等待其中一个完成。</translation>
    </message>
    <message>
        <source>%1 answers %2 to %3%4</source>
        <translation>%1 对 %3 的响应为 %2%4</translation>
    </message>
    <message>
        <source>%1 sends requests on to %2</source>
        <translation>%1 将请求转发到 %2</translation>
    </message>
    <message>
        <source>Give that address instead; keys are not sent where nobody asked for.</source>
        <translation>请改填该地址；密钥不会发送到未指定的地方。</translation>
    </message>
    <message>
        <source>%1 refuses the key (%2)%3</source>
        <translation>%1 拒绝了密钥（%2）%3</translation>
    </message>
    <message>
        <source>Check the key of this server.</source>
        <translation>请检查此服务器的密钥。</translation>
    </message>
    <message>
        <source>Check the address and the model.</source>
        <translation>请检查地址和模型。</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>请稍后再试。</translation>
    </message>
    <message>
        <source>The server&apos;s own log says more.</source>
        <translation>服务器自身的日志中有更多信息。</translation>
    </message>
    <message>
        <source>Change the request, or the settings of this chat.</source>
        <translation>请更改请求或此对话的设置。</translation>
    </message>
    <message>
        <source>%1 answers %2 with more than %3 MiB</source>
        <translation>%1 对 %2 的响应超过 %3 MiB</translation>
    </message>
    <message>
        <source>See that the address is that of an inference server.</source>
        <translation>请确认该地址属于推理服务器。</translation>
    </message>
    <message>
        <source>See what keeps the server or the network to it busy.</source>
        <translation>请检查是什么使服务器或通往它的网络繁忙。</translation>
    </message>
    <message>
        <source>See that the server runs, and on which port.</source>
        <translation>请确认服务器正在运行及其端口。</translation>
    </message>
    <message>
        <source>No computer is called %1</source>
        <translation>没有名为 %1 的计算机</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>请检查地址。</translation>
    </message>
    <message>
        <source>See that the server runs and that no firewall stands before it.</source>
        <translation>请确认服务器正在运行，且没有被防火墙阻挡。</translation>
    </message>
    <message>
        <source>%1 closed the connection</source>
        <translation>%1 关闭了连接</translation>
    </message>
    <message>
        <source>See that it still runs; http and https are different doors.</source>
        <translation>请确认它仍在运行；http 与 https 是不同的入口。</translation>
    </message>
    <message>
        <source>%1 does not speak TLS as it should (%2)</source>
        <translation>%1 未正确使用 TLS（%2）</translation>
    </message>
    <message>
        <source>See whether the address begins with http there instead of https.</source>
        <translation>请检查该地址是否应以 http 而不是 https 开头。</translation>
    </message>
    <message>
        <source>The certificate of %1 is not trusted: %2</source>
        <translation>%1 的证书不受信任：%2</translation>
    </message>
    <message>
        <source>Add the certificate of its authority to those of this system, or use the name the certificate is for.</source>
        <translation>请将其颁发机构的证书添加到本系统，或使用证书所对应的名称。</translation>
    </message>
    <message>
        <source>%1 needs TLS, and this computer&apos;s Qt has none</source>
        <translation>%1 需要 TLS，而本机的 Qt 不支持</translation>
    </message>
    <message>
        <source>Install the OpenSSL libraries.</source>
        <translation>请安装 OpenSSL 库。</translation>
    </message>
    <message>
        <source>See that the server runs and can be reached.</source>
        <translation>请确认服务器正在运行且可以访问。</translation>
    </message>
    <message>
        <source>%1 offers no model</source>
        <translation>%1 没有提供模型</translation>
    </message>
    <message>
        <source>%1 answers /v1/models with something else than a list</source>
        <translation>%1 对 /v1/models 的响应不是列表</translation>
    </message>
    <message>
        <source>Load a model there.</source>
        <translation>请在那里加载模型。</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 sends %2 so slowly that it is not there in time</source>
        <translation>%1 发送 %2 过慢，未能及时收到</translation>
    </message>
    <message>
        <source>Nothing listens at %1</source>
        <translation>%1 没有程序在监听</translation>
    </message>
    <message>
        <source>%1 does not answer in time</source>
        <translation>%1 未及时应答</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>RemoteAdapter</name>
    <message>
        <source>%1 does not offer %2; it offers %3</source>
        <translation>%1 不提供 %2；它提供 %3</translation>
    </message>
    <message>
        <source>Choose another model of this server.</source>
        <translation>请选择该服务器的其他模型。</translation>
    </message>
</context>
<context>
    <name>RemoteControl</name>
    <message>
        <source>Type an address such as http://gpu7:8000.</source>
        <translation>请输入类似 http://gpu7:8000 的地址。</translation>
    </message>
    <message>
        <source>The server has no address.</source>
        <translation>服务器没有地址。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no address of a server.</source>
        <translation>“%1”不是服务器地址。</translation>
    </message>
    <message>
        <source>&quot;%1&quot; begins with %2; a server is reached by http or https.</source>
        <translation>“%1”以 %2 开头；服务器通过 http 或 https 访问。</translation>
    </message>
    <message>
        <source>The address of %1 holds a password; keys have a field of their own.</source>
        <translation>%1 的地址含有密码；密钥有单独的输入框。</translation>
    </message>
</context>
<context>
    <name>RequestLanes</name>
    <message>
        <source>stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>length</source>
        <translation>长度</translation>
    </message>
    <message>
        <source>tool call</source>
        <translation>工具调用</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Requests over time</source>
        <translation>请求随时间的变化</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>%1 of %2 reused</source>
        <translation>复用 %1 / %2</translation>
    </message>
    <message>
        <source>read %1</source>
        <translation>读取 %1</translation>
    </message>
    <message>
        <source>No request in this window</source>
        <translation>此时间范围内没有请求</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
</context>
<context>
    <name>RequestLogModel</name>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>error</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Client</source>
        <translation>客户端</translation>
    </message>
    <message>
        <source>Route</source>
        <translation>路由</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Queue s</source>
        <translation>排队 秒</translation>
    </message>
    <message>
        <source>First s</source>
        <translation>首个 秒</translation>
    </message>
    <message>
        <source>In / cached / out</source>
        <translation>输入 / 缓存 / 输出</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>结束</translation>
    </message>
</context>
<context>
    <name>RequestSheet</name>
    <message>
        <source>waiting %1, prompt %2, answer %3</source>
        <translation>等待 %1，提示 %2，回答 %3</translation>
    </message>
    <message>
        <source>Request</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Response</source>
        <translation>响应</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>Close the request</source>
        <translation>关闭请求</translation>
    </message>
    <message>
        <source>Part shown</source>
        <translation>显示的部分</translation>
    </message>
    <message>
        <source>Body</source>
        <translation>正文</translation>
    </message>
    <message>
        <source>Show in Engine</source>
        <translation>在引擎页显示</translation>
    </message>
    <message>
        <source>Copy as curl</source>
        <translation>复制为 curl</translation>
    </message>
    <message>
        <source>Sends the same request to this server again</source>
        <translation>再次向此服务器发送相同的请求</translation>
    </message>
    <message>
        <source>Request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>排队</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>首个词元</translation>
    </message>
    <message>
        <source>Total</source>
        <translation>总计</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>From cache</source>
        <translation>来自缓存</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Finish</source>
        <translation>结束</translation>
    </message>
    <message>
        <source>Nothing kept.</source>
        <translation>未保留内容。</translation>
    </message>
    <message>
        <source>Sent again; the new row is in the log.</source>
        <translation>已再次发送；新的一行在日志中。</translation>
    </message>
    <message>
        <source>Not sent: %1. Switch the server on first.</source>
        <translation>未发送：%1。请先打开服务器。</translation>
    </message>
    <message>
        <source>Sent again, answered with %1.</source>
        <translation>已再次发送，回应为 %1。</translation>
    </message>
    <message>
        <source>The log keeps 64 KiB of a request, this one was longer: send it from its program</source>
        <translation>日志只保留请求的前 64 KiB，此请求更长：请从原程序发送</translation>
    </message>
    <message>
        <source>The log keeps no more of this request: send it from its program</source>
        <translation>日志已不再保留此请求：请从原程序发送</translation>
    </message>
</context>
<context>
    <name>RunningWork</name>
    <message numerus="yes">
        <source>%n answer(s) would end here; the text so far is kept.</source>
        <translation>
            <numerusform>%n 个回答会就此结束；已有的文字会保留。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n message(s) not sent yet would be lost.</source>
        <translation>
            <numerusform>%n 条尚未发送的消息会丢失。</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 is written and stays; measuring it would end.</source>
        <translation>%1 已写完并会保留；测量会中止。</translation>
    </message>
    <message>
        <source>%1 is being quantized, %2 written; nothing of it would be kept.</source>
        <translation>%1 正在量化，已写入 %2；其中任何内容都不会保留。</translation>
    </message>
    <message numerus="yes">
        <source>%n download(s) would stop at %1 of %2; Get models goes on from there.</source>
        <translation>
            <numerusform>%n 个下载会停在 %1 / %2；可在“获取模型”中从该处继续。</numerusform>
        </translation>
    </message>
    <message>
        <source>The experiment “%1”, %2 done, would end without a result.</source>
        <translation>实验“%1”（已完成 %2）会中止，没有结果。</translation>
    </message>
    <message numerus="yes">
        <source>%n request(s) of other programs would break off.</source>
        <translation>
            <numerusform>其他程序的 %n 个请求会中断。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>SamplingPanel</name>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token</source>
        <translation>0 总是选最可能的词元</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>smallest set of tokens with this probability; 1 is off</source>
        <translation>达到此概率的最小词元集合；1 为关闭</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>only the k likeliest tokens; 0 is off</source>
        <translation>仅 k 个最可能的词元；0 为关闭</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>at least this share of the likeliest token; 0 is off</source>
        <translation>至少为最可能词元的这一比例；0 为关闭</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>重复惩罚</translation>
    </message>
    <message>
        <source>above 1 avoids what was said, 1 is off; auto is 1.1 for models below 1 B</source>
        <translation>大于 1 会避免重复，1 为关闭；自动：小于 1 B 的模型为 1.1</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Most tokens</source>
        <translation>最多词元</translation>
    </message>
    <message>
        <source>of one answer; −1 is up to the end of the context</source>
        <translation>一个回答的上限；−1 直到上下文末尾</translation>
    </message>
    <message>
        <source>Record token alternatives</source>
        <translation>记录候选词元</translation>
    </message>
    <message>
        <source>Token alternatives</source>
        <translation>候选词元</translation>
    </message>
    <message>
        <source>shown on hover under This turn</source>
        <translation>在“本轮”中悬停时显示</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>将%1恢复为默认值</translation>
    </message>
</context>
<context>
    <name>SearchField</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>清除</translation>
    </message>
</context>
<context>
    <name>SendButton</name>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>发送</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>停止 (Esc)</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>发送 (Enter)</translation>
    </message>
</context>
<context>
    <name>ServerDialog</name>
    <message>
        <source>a server with OpenAI&apos;s API</source>
        <translation>具有 OpenAI API 的服务器</translation>
    </message>
    <message>
        <source>Add a server</source>
        <translation>添加服务器</translation>
    </message>
    <message>
        <source>Change %1</source>
        <translation>修改 %1</translation>
    </message>
    <message>
        <source>Chats are answered by this server, and the Engine page shows what it tells about itself. vLLM, SGLang, llama-server, TensorRT-LLM, another Vitrine, and others with OpenAI&apos;s API.</source>
        <translation>聊天由该服务器回答，引擎页面显示它自述的内容。支持 vLLM、SGLang、llama-server、TensorRT-LLM、另一个 Vitrine 以及其他具有 OpenAI API 的服务器。</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>密钥</translation>
    </message>
    <message>
        <source>if the server asks for one</source>
        <translation>如果服务器要求</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>as it is called here</source>
        <translation>在此处的名称</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>the first it offers</source>
        <translation>它提供的第一个</translation>
    </message>
    <message>
        <source>Over http the key can be read on the way; https would hide it.</source>
        <translation>通过 http，密钥在传输途中可被读取；https 可将其隐藏。</translation>
    </message>
    <message>
        <source>Ask the server</source>
        <translation>询问服务器</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Save and use</source>
        <translation>保存并使用</translation>
    </message>
    <message>
        <source>Asking %1…</source>
        <translation>正在询问 %1…</translation>
    </message>
    <message numerus="yes">
        <source>It is %1 and offers %n model(s).</source>
        <translation>
            <numerusform>它是 %1，提供 %n 个模型。</numerusform>
        </translation>
    </message>
    <message>
        <source>Its metrics can be read.</source>
        <translation>可以读取其指标。</translation>
    </message>
    <message>
        <source>Plots show this program&apos;s own requests only: %1</source>
        <translation>图表仅显示本程序自己的请求：%1</translation>
    </message>
    <message>
        <source>A key is kept in settings.json of the data folder, not encrypted, in a file that only you can read.</source>
        <translation>密钥未加密地保存在数据文件夹的 settings.json 中，该文件只有您能读取。</translation>
    </message>
</context>
<context>
    <name>ServerPage</name>
    <message>
        <source>Server</source>
        <translation>服务器</translation>
    </message>
    <message>
        <source>Server on</source>
        <translation>服务器已打开</translation>
    </message>
    <message>
        <source>Serve the loaded model over HTTP (Ctrl+Shift+S)</source>
        <translation>通过 HTTP 提供已加载的模型 (Ctrl+Shift+S)</translation>
    </message>
    <message>
        <source>Base URL</source>
        <translation>基础 URL</translation>
    </message>
    <message>
        <source>Copy the base URL</source>
        <translation>复制基础 URL</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Local network</source>
        <translation>局域网</translation>
    </message>
    <message>
        <source>Reachable from</source>
        <translation>可访问范围</translation>
    </message>
    <message>
        <source>Create key</source>
        <translation>创建密钥</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API 密钥</translation>
    </message>
    <message>
        <source>Web pages</source>
        <translation>网页</translation>
    </message>
    <message>
        <source>✓ Host header always checked</source>
        <translation>✓ 始终检查 Host 头</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试用</translation>
    </message>
    <message>
        <source>Language of the snippet</source>
        <translation>示例代码的语言</translation>
    </message>
    <message>
        <source>Copy the snippet</source>
        <translation>复制示例代码</translation>
    </message>
    <message>
        <source>Requests</source>
        <translation>请求</translation>
    </message>
    <message>
        <source>Client, route, text</source>
        <translation>客户端、路由、文本</translation>
    </message>
    <message>
        <source>Hold the log still</source>
        <translation>暂停日志</translation>
    </message>
    <message>
        <source>Request log</source>
        <translation>请求日志</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>On</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>Not started</source>
        <translation>未启动</translation>
    </message>
    <message>
        <source>a network address needs one</source>
        <translation>网络地址需要密钥</translation>
    </message>
    <message>
        <source>none, not needed on this computer</source>
        <translation>无，本机不需要</translation>
    </message>
    <message>
        <source>No server in this build.</source>
        <translation>此版本没有服务器。</translation>
    </message>
    <message>
        <source>Use port %1</source>
        <translation>使用端口 %1</translation>
    </message>
    <message>
        <source>All %1</source>
        <translation>全部 %1</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>运行中 %1</translation>
    </message>
    <message>
        <source>Errors %1</source>
        <translation>错误 %1</translation>
    </message>
    <message>
        <source>Missed prefix %1</source>
        <translation>前缀未命中 %1</translation>
    </message>
    <message>
        <source>No request yet. Paste the snippet into a terminal.</source>
        <translation>还没有请求。把示例代码粘贴到终端即可。</translation>
    </message>
    <message>
        <source>The server is off. Requests appear here.</source>
        <translation>服务器已关闭。请求会显示在这里。</translation>
    </message>
    <message>
        <source>%1 in the log</source>
        <translation>日志中 %1 条</translation>
    </message>
    <message>
        <source>This window&apos;s chats go first</source>
        <translation>优先处理本窗口的聊天</translation>
    </message>
    <message>
        <source>Chats here</source>
        <translation>此处的聊天</translation>
    </message>
    <message>
        <source>A request that has waited a minute goes first all the same</source>
        <translation>等待满一分钟的请求仍然优先</translation>
    </message>
    <message>
        <source>go before waiting requests</source>
        <translation>先于等待中的请求</translation>
    </message>
    <message>
        <source>kept in settings.json, readable by you alone</source>
        <translation>保存在 settings.json 中，仅您可读</translation>
    </message>
    <message>
        <source>Not encrypted: whoever can read the files of this account can read the key.</source>
        <translation>未加密：能读取此账户文件的人都能读取密钥。</translation>
    </message>
    <message>
        <source>Limit</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>requests may wait, the next get 429</source>
        <translation>个请求可以等待，其余返回 429</translation>
    </message>
    <message>
        <source>Requests that may wait</source>
        <translation>可等待的请求数</translation>
    </message>
    <message>
        <source>Beyond those that the model answers at once; it takes %1 unless told otherwise</source>
        <translation>不含模型同时处理的请求；默认为 %1</translation>
    </message>
</context>
<context>
    <name>ServerPanel</name>
    <message>
        <source>which block holds what</source>
        <translation>哪个块存放什么</translation>
    </message>
    <message>
        <source>the requests of others one by one</source>
        <translation>他人的各个请求</translation>
    </message>
    <message>
        <source>how long a request was queued and how long its prompt was read</source>
        <translation>请求排队多久、提示读取多久</translation>
    </message>
    <message>
        <source>how full its KV cache is</source>
        <translation>KV 缓存有多满</translation>
    </message>
    <message>
        <source>how many requests wait</source>
        <translation>有多少请求在等待</translation>
    </message>
    <message>
        <source>prefix hits</source>
        <translation>前缀命中</translation>
    </message>
    <message>
        <source>drafts</source>
        <translation>草稿</translation>
    </message>
    <message>
        <source>times to the first token</source>
        <translation>首词元时间</translation>
    </message>
    <message>
        <source>times between tokens</source>
        <translation>词元间隔时间</translation>
    </message>
    <message>
        <source>the time of a step and its parts</source>
        <translation>每步及其各部分的时间</translation>
    </message>
    <message>
        <source>its memory</source>
        <translation>其内存</translation>
    </message>
    <message>
        <source>Server shown</source>
        <translation>所显示的服务器</translation>
    </message>
    <message>
        <source>context %1 tokens</source>
        <translation>上下文 %1 个词元</translation>
    </message>
    <message>
        <source>context not told</source>
        <translation>上下文未告知</translation>
    </message>
    <message>
        <source>%1 KV blocks</source>
        <translation>%1 个 KV 块</translation>
    </message>
    <message>
        <source>This server does not tell: %1. The lanes are those of this program&apos;s own requests, as seen from here; percentiles are estimated from the buckets of the last minute.</source>
        <translation>该服务器不告知：%1。轨道是本程序自己的请求在此处所见的情况；百分位由最近一分钟的分桶估算。</translation>
    </message>
    <message>
        <source>This server does not tell: %1. The lanes and figures are those of this program&apos;s own requests, as seen from here.</source>
        <translation>该服务器没有提供：%1。泳道和数字只来自本程序自己的请求，以本机所见为准。</translation>
    </message>
</context>
<context>
    <name>SessionText</name>
    <message>
        <source>The recording is not JSON: %1 at byte %2.</source>
        <translation>该录制不是 JSON：第 %2 字节处 %1。</translation>
    </message>
    <message>
        <source>Choose a file that Vitrine saved with Save recording.</source>
        <translation>请选择 Vitrine 用“保存录制”写出的文件。</translation>
    </message>
    <message>
        <source>The file has no field vitrine_session: it is no recording of Vitrine.</source>
        <translation>文件中没有 vitrine_session 字段：它不是 Vitrine 的录制。</translation>
    </message>
    <message>
        <source>The recording has version %1, this program reads version %2.</source>
        <translation>该录制的版本是 %1，本程序读取版本 %2。</translation>
    </message>
    <message>
        <source>Choose a file that this version of Vitrine saved.</source>
        <translation>请选择此版本的 Vitrine 保存的文件。</translation>
    </message>
    <message>
        <source>The recording is damaged: %1.</source>
        <translation>录制已损坏：%1。</translation>
    </message>
    <message>
        <source>Choose another file, or record the session again.</source>
        <translation>请选择其他文件，或重新录制会话。</translation>
    </message>
    <message>
        <source>%1 row %2 %3</source>
        <translation>%1 第 %2 行：%3</translation>
    </message>
    <message>
        <source>%1 is no list</source>
        <translation>%1 不是列表</translation>
    </message>
    <message>
        <source>has a wrong number of values</source>
        <translation>值的数量不对</translation>
    </message>
    <message>
        <source>has a value that is no count</source>
        <translation>有的值不是计数</translation>
    </message>
    <message>
        <source>does not follow the step before it</source>
        <translation>没有接续前一步</translation>
    </message>
    <message>
        <source>has a time out of range</source>
        <translation>时间超出范围</translation>
    </message>
    <message>
        <source>has a value out of range</source>
        <translation>有的值超出范围</translation>
    </message>
    <message>
        <source>is one more than a recording holds</source>
        <translation>超出录制可容纳的数量</translation>
    </message>
    <message>
        <source>has a time or a count out of range</source>
        <translation>时间或计数超出范围</translation>
    </message>
    <message>
        <source>brings more block states than a recording holds</source>
        <translation>块状态超出录制可容纳的数量</translation>
    </message>
    <message>
        <source>has a change out of range</source>
        <translation>有的变更超出范围</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Search settings</source>
        <translation>搜索设置</translation>
    </message>
    <message>
        <source>Sections</source>
        <translation>分类</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Storage</source>
        <translation>存储</translation>
    </message>
    <message>
        <source>Shortcuts</source>
        <translation>快捷键</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>For new chats; the inspector changes one chat.</source>
        <translation>用于新对话；检查器可更改单个对话。</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>None. For example: Answer briefly, in plain words.</source>
        <translation>无。例如：请用简单的话简短回答。</translation>
    </message>
    <message>
        <source>What every new chat begins with</source>
        <translation>每个新对话的开头</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token: the same question has the same answer</source>
        <translation>0 总是选最可能的词元：同样的问题得到同样的回答</translation>
    </message>
    <message>
        <source>Enter sends</source>
        <translation>回车发送</translation>
    </message>
    <message>
        <source>Off: Ctrl+Enter sends and Enter breaks the line</source>
        <translation>关闭时：Ctrl+回车发送，回车换行</translation>
    </message>
    <message>
        <source>Like the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Used by the next load; each model remembers its own context, KV type and quantization.</source>
        <translation>下次加载时生效；每个模型会记住自己的上下文、KV 类型和量化。</translation>
    </message>
    <message>
        <source>Best available</source>
        <translation>最佳可用设备</translation>
    </message>
    <message>
        <source>CPU</source>
        <translation>CPU</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Where models run</source>
        <translation>模型在哪里运行</translation>
    </message>
    <message>
        <source>Looking for devices…</source>
        <translation>正在查找设备…</translation>
    </message>
    <message>
        <source>%1 is not used: %2</source>
        <translation>%1 未使用：%2</translation>
    </message>
    <message>
        <source>%1: %2, %3, %4 free of %5</source>
        <translation>%1：%2，%3，可用 %4 / %5</translation>
    </message>
    <message>
        <source>Load the last model at start</source>
        <translation>启动时加载上次的模型</translation>
    </message>
    <message>
        <source>The window opens at once, the model follows</source>
        <translation>窗口立即打开，模型随后加载</translation>
    </message>
    <message>
        <source>never</source>
        <translation>从未</translation>
    </message>
    <message>
        <source> min</source>
        <translation> 分钟</translation>
    </message>
    <message>
        <source>Unload when idle</source>
        <translation>空闲时卸载</translation>
    </message>
    <message>
        <source>Gives the memory back; the next message loads the model again. Not while the server runs</source>
        <translation>归还内存；下一条消息会重新加载模型。服务器运行时不卸载</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Every change applies at once.</source>
        <translation>每项更改立即生效。</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>文字大小</translation>
    </message>
    <message>
        <source>Ctrl + and Ctrl −, Ctrl 0 for 100 %</source>
        <translation>Ctrl + 和 Ctrl −，Ctrl 0 为 100 %</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Less motion</source>
        <translation>减少动画</translation>
    </message>
    <message>
        <source>Panels and sheets appear without sliding</source>
        <translation>面板和弹出页不滑动</translation>
    </message>
    <message>
        <source>Patterns on sequence colours</source>
        <translation>序列颜色加图案</translation>
    </message>
    <message>
        <source>Hatching beside colour, in the block map and the lanes</source>
        <translation>在块图和泳道中除颜色外再加斜线</translation>
    </message>
    <message>
        <source>Chats, settings and models stay on this computer.</source>
        <translation>对话、设置和模型都留在本机。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Data folder</source>
        <translation>数据文件夹</translation>
    </message>
    <message>
        <source>Settings file</source>
        <translation>设置文件</translation>
    </message>
    <message>
        <source>Model folders</source>
        <translation>模型文件夹</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>添加文件夹</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>添加存放模型的文件夹</translation>
    </message>
    <message>
        <source>Models of other apps</source>
        <translation>其他应用的模型</translation>
    </message>
    <message>
        <source>LM Studio, Ollama and the Hugging Face cache, used in place</source>
        <translation>LM Studio、Ollama 和 Hugging Face 缓存，就地使用</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove %1 from the list</source>
        <translation>从列表中移除 %1</translation>
    </message>
    <message>
        <source>folder offline</source>
        <translation>文件夹不可用</translation>
    </message>
    <message>
        <source>Click a field and press the new keys; Backspace takes them away. No single key destroys anything.</source>
        <translation>点击字段并按下新的按键；退格键可清除。没有任何单个按键会破坏内容。</translation>
    </message>
    <message>
        <source>Stop the answer, close a sheet</source>
        <translation>停止回答，关闭弹出页</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Edit the last message, in an empty composer</source>
        <translation>在空白输入框中编辑上一条消息</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上方向键</translation>
    </message>
    <message>
        <source>Jump to the newest text and follow</source>
        <translation>跳到最新文本并跟随</translation>
    </message>
    <message>
        <source>End</source>
        <translation>End</translation>
    </message>
    <message>
        <source>Pause the plots (Engine page)</source>
        <translation>暂停图表（引擎页）</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空格</translation>
    </message>
    <message>
        <source>Vitrine</source>
        <translation>Vitrine</translation>
    </message>
    <message>
        <source>Local language models, run fast and shown live.</source>
        <translation>本地语言模型，运行迅速，实时可见。</translation>
    </message>
    <message>
        <source>Version %1. Local language models, run fast and shown live.</source>
        <translation>版本 %1。本地语言模型，运行迅速，实时可见。</translation>
    </message>
    <message>
        <source>Privacy</source>
        <translation>隐私</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>GNU General Public License, version 3 or later. This program comes with absolutely no warranty. You may share and change it under the terms of that licence.</source>
        <translation>GNU 通用公共许可证第 3 版或更新版本。本程序不提供任何担保。您可以按照该许可证的条款分享和修改它。</translation>
    </message>
    <message>
        <source>Built with</source>
        <translation>所用组件</translation>
    </message>
    <message>
        <source>Qt (LGPL 3), QCustomPlot (GPL 3 or later), Boost (BSL 1.0), {fmt} and spdlog (MIT), PCRE2 and xxHash (BSD), nlohmann/json (MIT), SQLite (public domain), Inter and JetBrains Mono (OFL 1.1).</source>
        <translation>Qt (LGPL 3)、QCustomPlot (GPL 3 或更新版本)、Boost (BSL 1.0)、{fmt} 和 spdlog (MIT)、PCRE2 和 xxHash (BSD)、nlohmann/json (MIT)、SQLite (公有领域)、Inter 和 JetBrains Mono (OFL 1.1)。</translation>
    </message>
    <message>
        <source>General</source>
        <translation>常规</translation>
    </message>
    <message>
        <source>Start, close and language.</source>
        <translation>启动、关闭与语言。</translation>
    </message>
    <message>
        <source>Keep serving when the window is closed</source>
        <translation>关闭窗口后继续提供服务</translation>
    </message>
    <message>
        <source>With the server on, closing hides the window and an icon in the tray brings it back or quits. Off, or without the server: closing quits</source>
        <translation>服务器开启时，关闭会隐藏窗口，托盘图标可将其恢复或退出。关闭此项或未开启服务器时：关闭即退出</translation>
    </message>
    <message>
        <source>This desktop shows no tray icons, so closing the window always quits.</source>
        <translation>此桌面不显示托盘图标，因此关闭窗口总会退出。</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>对话</translation>
    </message>
    <message>
        <source>Database of chats and their search index</source>
        <translation>对话数据库及其搜索索引</translation>
    </message>
    <message>
        <source>Models in the data folder</source>
        <translation>数据文件夹中的模型</translation>
    </message>
    <message>
        <source>Files in other folders are used in place and not counted</source>
        <translation>其他文件夹中的文件在原处使用，不计入</translation>
    </message>
    <message>
        <source>Back up…</source>
        <translation>备份…</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>Backup of all chats</source>
        <translation>全部对话的备份</translation>
    </message>
    <message>
        <source>One JSON file. Restoring adds what is missing and changes nothing that is here</source>
        <translation>一个 JSON 文件。恢复只补入缺少的内容，不更改已有内容</translation>
    </message>
    <message>
        <source>Back up all chats</source>
        <translation>备份全部对话</translation>
    </message>
    <message>
        <source>JSON files</source>
        <translation>JSON 文件</translation>
    </message>
    <message>
        <source>Chats in %1: %2.</source>
        <translation>%1 中的对话：%2。</translation>
    </message>
    <message>
        <source>The backup was not written: %1</source>
        <translation>备份未写入：%1</translation>
    </message>
    <message>
        <source>Restore chats from a backup</source>
        <translation>从备份恢复对话</translation>
    </message>
    <message>
        <source>the file is larger than 2 GiB</source>
        <translation>文件大于 2 GiB</translation>
    </message>
    <message>
        <source>Nothing was restored: %1</source>
        <translation>未恢复任何内容：%1</translation>
    </message>
    <message>
        <source>Chats added: %1. Messages added to chats that were here: %2.</source>
        <translation>新增对话：%1。补入已有对话的消息：%2。</translation>
    </message>
    <message>
        <source>No telemetry, no account, and no network request but what you start: a search or download of a model, and chats with a server that you added. What you write and what a model on this computer answers stay in its data folder; the server here listens only when you switch it on.</source>
        <translation>没有遥测，没有账户，除了您发起的请求外没有任何网络请求：搜索或下载模型，以及与您添加的服务器聊天。您写的内容和本机模型的回答保留在数据文件夹中；这里的服务器只有在您打开时才会监听。</translation>
    </message>
    <message>
        <source>Chats of the backup that could not be read: %1.</source>
        <translation>备份中无法读取的对话：%1。</translation>
    </message>
    <message>
        <source>Changes at once; whatever runs goes on</source>
        <translation>立即切换；正在进行的一切都会继续</translation>
    </message>
</context>
<context>
    <name>ShortcutRegistry</name>
    <message>
        <source>%1 alone is needed for writing</source>
        <translation>单独的 %1 需要用于输入文字</translation>
    </message>
    <message>
        <source>%1 is already “%2”</source>
        <translation>%1 已用于“%2”</translation>
    </message>
</context>
<context>
    <name>ShortcutRow</name>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Keys of %1</source>
        <translation>%1的按键</translation>
    </message>
    <message>
        <source>Reset the keys of %1</source>
        <translation>重置%1的按键</translation>
    </message>
</context>
<context>
    <name>SlowText</name>
    <message>
        <source>A prompt changed at token %1 (%2 became %3): %4 of its %5 tokens are read again.</source>
        <translation>一个提示在第 %1 个词元处改变了（%2 变成 %3）：它的 %5 个词元中有 %4 个要重新读取。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens of a prompt are read again: their blocks went to other requests.</source>
        <translation>一个提示的 %2 个词元中有 %1 个要重新读取：它们的块给了其他请求。</translation>
    </message>
    <message>
        <source>%1 of %2 tokens of a prompt are read again: they are cached for another %3.</source>
        <translation>一个提示的 %2 个词元中有 %1 个要重新读取：它们是为另一个%3缓存的。</translation>
    </message>
    <message>
        <source>The KV cache is too small: preempted %1 times in the last 10 s, those tokens are computed again.</source>
        <translation>KV 缓存太小：最近 10 秒内抢占了 %1 次，这些词元要重新计算。</translation>
    </message>
    <message>
        <source>Requests waiting: %1. All %2 places are taken.</source>
        <translation>等待的请求：%1。全部 %2 个位置都已占用。</translation>
    </message>
    <message>
        <source>Requests waiting for KV blocks: %1. %2 of %3 blocks are free.</source>
        <translation>等待 KV 块的请求：%1。%3 个块中有 %2 个空闲。</translation>
    </message>
    <message>
        <source>A prompt is read beside %1 running answers: %2 of its tokens are left.</source>
        <translation>在 %1 个进行中的回答旁边正在读取提示：还剩 %2 个词元。</translation>
    </message>
    <message>
        <source>%1 of each step is spent outside the model.</source>
        <translation>每一步有 %1 花在模型之外。</translation>
    </message>
    <message>
        <source>The CPU computes. %1.</source>
        <translation>由 CPU 计算。%1。</translation>
    </message>
    <message>
        <source>%1 answers share %2 tokens per second: about %3 each.</source>
        <translation>%1 个回答共享每秒 %2 个词元：每个约 %3。</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on the CPU, and every step waits for them.</source>
        <translation>%2 层中有 %1 层在 CPU 上运行，每一步都要等它们。</translation>
    </message>
    <message>
        <source>The KV cache is too small: preempted once in the last 10 s, those tokens are computed again.</source>
        <translation>KV 缓存太小：最近 10 秒内被抢占一次，这些词元要重新计算。</translation>
    </message>
</context>
<context>
    <name>StepTableModel</name>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Age s</source>
        <translation>距今 秒</translation>
    </message>
    <message>
        <source>Prefill tok</source>
        <translation>预填充词元</translation>
    </message>
    <message>
        <source>Decode + draft</source>
        <translation>解码 + 草稿</translation>
    </message>
    <message>
        <source>Emitted</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>Blocks taken</source>
        <translation>占用块</translation>
    </message>
    <message>
        <source>Freed</source>
        <translation>释放</translation>
    </message>
    <message>
        <source>Evicted</source>
        <translation>逐出</translation>
    </message>
    <message>
        <source>Host ms</source>
        <translation>主机 毫秒</translation>
    </message>
    <message>
        <source>Device ms</source>
        <translation>设备 毫秒</translation>
    </message>
</context>
<context>
    <name>StoreText</name>
    <message>
        <source>%1: the folder cannot be made</source>
        <translation>%1：无法创建文件夹</translation>
    </message>
    <message>
        <source>It is no backup of Vitrine: &quot;vitrine_backup&quot;: 1 is missing. A single chat comes in by Import chats.</source>
        <translation>这不是 Vitrine 的备份：缺少 &quot;vitrine_backup&quot;: 1。单个对话请用“导入对话”。</translation>
    </message>
    <message>
        <source>None of its %1 chats can be read. Use an older backup.</source>
        <translation>其中 %1 个对话均无法读取。请使用较早的备份。</translation>
    </message>
    <message>
        <source>%1 can be read, but not written</source>
        <translation>%1 可以读取，但无法写入</translation>
    </message>
    <message>
        <source>the chat database is not open</source>
        <translation>对话数据库未打开</translation>
    </message>
    <message>
        <source>It is no chat that Vitrine exported: &quot;vitrine_chat&quot;: 1 is missing.</source>
        <translation>这不是 Vitrine 导出的对话：缺少 &quot;vitrine_chat&quot;: 1。</translation>
    </message>
    <message>
        <source>It is a backup of all chats: restore it under Settings, Storage.</source>
        <translation>这是所有对话的备份：请在“设置”的“存储”中恢复。</translation>
    </message>
    <message>
        <source>It holds no conversation: choose a chat that Vitrine exported, or the conversations.json of ChatGPT.</source>
        <translation>文件中没有对话：请选择 Vitrine 导出的对话，或 ChatGPT 的 conversations.json。</translation>
    </message>
    <message>
        <source>%1 has version %2, this Vitrine reads up to %3: start the newer Vitrine, or move the file away</source>
        <translation>%1 的版本为 %2，此 Vitrine 最高可读 %3：请启动较新的 Vitrine，或移走该文件</translation>
    </message>
    <message>
        <source>It is no JSON from byte %1 of %2 on: %3. Export it again, or mend the file there.</source>
        <translation>从第 %1 字节（共 %2）起不是 JSON：%3。请重新导出，或在该处修正文件。</translation>
    </message>
</context>
<context>
    <name>TimeAxis</name>
    <message>
        <source>Time axis</source>
        <translation>时间轴</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
    <message>
        <source>end</source>
        <translation>结束</translation>
    </message>
</context>
<context>
    <name>TokenList</name>
    <message>
        <source>Tokens of the last answer</source>
        <translation>上一个回答的词元</translation>
    </message>
</context>
<context>
    <name>Turn</name>
    <message>
        <source>%1 tok</source>
        <translation>%1 词元</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 词元/秒</translation>
    </message>
    <message>
        <source>first %1 s</source>
        <translation>首个 %1 秒</translation>
    </message>
    <message>
        <source>%1 accepted/step</source>
        <translation>每步接受 %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>interrupted, text recovered</source>
        <translation>已中断，文本已恢复</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>length limit reached</source>
        <translation>达到长度上限</translation>
    </message>
    <message>
        <source>%1 of %2 prompt tokens from cache</source>
        <translation>%1 / %2 个提示词元来自缓存</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>waiting for the model to load</source>
        <translation>等待模型加载</translation>
    </message>
    <message>
        <source>queued, %1 ahead</source>
        <translation>排队中，前面 %1 个</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>正在读取</translation>
    </message>
    <message>
        <source>reading %1 of %2 tokens, %3 reused</source>
        <translation>正在读取 %1 / %2 个词元，复用 %3</translation>
    </message>
    <message>
        <source>reading %1 of %2 tokens</source>
        <translation>正在读取 %1 / %2 个词元</translation>
    </message>
    <message>
        <source>Thinking · %1 s</source>
        <translation>正在思考 · %1 秒</translation>
    </message>
    <message>
        <source>Thought for %1 s</source>
        <translation>思考了 %1 秒</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>已思考</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 个词元</translation>
    </message>
</context>
<context>
    <name>TurnActions</name>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Edit as a new branch</source>
        <translation>作为新分支编辑</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>重新生成</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Previous branch</source>
        <translation>上一个分支</translation>
    </message>
    <message>
        <source>Next branch</source>
        <translation>下一个分支</translation>
    </message>
    <message>
        <source>More actions for this answer</source>
        <translation>此回答的更多操作</translation>
    </message>
    <message>
        <source>Copy as Markdown</source>
        <translation>复制为 Markdown</translation>
    </message>
    <message>
        <source>Show exact prompt</source>
        <translation>显示确切的提示</translation>
    </message>
    <message>
        <source>More actions for this message</source>
        <translation>此消息的更多操作</translation>
    </message>
    <message>
        <source>Delete from here</source>
        <translation>从这里开始删除</translation>
    </message>
</context>
<context>
    <name>TurnInspector</name>
    <message>
        <source>Prompt</source>
        <translation>提示</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>采样</translation>
    </message>
    <message>
        <source>This turn</source>
        <translation>本轮</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>检查器</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>系统提示</translation>
    </message>
    <message>
        <source>System prompt of this chat</source>
        <translation>此对话的系统提示</translation>
    </message>
    <message>
        <source>None: the template&apos;s own, if it has one</source>
        <translation>无：使用模板自带的提示（如果有）</translation>
    </message>
    <message>
        <source>Exact prompt of the last request</source>
        <translation>上一个请求的确切提示</translation>
    </message>
    <message>
        <source>Shown after the next answer</source>
        <translation>在下一个回答之后显示</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>tok/s</source>
        <translation>词元/秒</translation>
    </message>
    <message>
        <source>Accepted per step</source>
        <translation>每步接受</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>词元</translation>
    </message>
    <message>
        <source>accepted draft underlined</source>
        <translation>接受的草稿带下划线</translation>
    </message>
    <message>
        <source>Show in Engine</source>
        <translation>在引擎页显示</translation>
    </message>
    <message>
        <source>request %1</source>
        <translation>请求 %1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>峰值 %1</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>预设</translation>
    </message>
    <message>
        <source>Back to the chat</source>
        <translation>返回聊天</translation>
    </message>
</context>
<context>
    <name>TurnLayout</name>
    <message>
        <source>… %1 characters not shown; Copy takes them all …</source>
        <translation>… 有 %1 个字符未显示；复制会包含全部 …</translation>
    </message>
</context>
<context>
    <name>TurnTimeline</name>
    <message>
        <source>Queued</source>
        <translation>已排队</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>已复用</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>已读取</translation>
    </message>
    <message>
        <source>Thinking</source>
        <translation>思考</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Timeline: %1</source>
        <translation>时间线：%1</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 tok</source>
        <translation>%1 词元</translation>
    </message>
</context>
<context>
    <name>UndoBar</name>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
</context>
<context>
    <name>numbers</name>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
</context>
</TS>
