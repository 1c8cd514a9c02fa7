// The default theme with the fonts of the system: nothing is fetched from anywhere else.
import DefaultTheme from 'vitepress/theme-without-fonts';
import './style.css';

export default DefaultTheme;
