/** The generator's own theme, in the fonts of the reader's system, which remembers the reader's language. */
import { onContentUpdated } from "vitepress";
import theme from "vitepress/theme-without-fonts";
import { onMounted } from "vue";
import { keepChoice, showChosen } from "./language.mjs";
import "./style.css";

export default {
  extends: theme,
  setup() {
    onMounted(keepChoice);
    onContentUpdated(showChosen);
  },
};
