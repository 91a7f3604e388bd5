const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["./webgl-CTF8QeUz.js","./expression-C4x9yiMU.js","./array-utils-flat-BL8Cekj1.js","./get-attribute-from-layouts-Dd2gixpo.js"])))=>i.map(i=>d[i]);
import{C as e,S as t,_ as n,a as r,b as i,c as a,d as o,f as s,h as c,l,o as u,p as d,t as f,u as p,v as m,w as h,x as g,y as _}from"./array-utils-flat-BL8Cekj1.js";import{C as v,D as y,E as b,S as x,T as S,_ as C,a as w,b as T,c as E,d as D,f as O,g as k,h as A,i as j,l as ee,m as te,n as ne,o as re,p as ie,r as ae,s as M,t as N,u as oe,w as se,x as ce,y as P}from"./expression-C4x9yiMU.js";import{a as le,c as ue,d as de,f as fe,i as pe,l as me,n as he,o as ge,r as _e,s as ve,t as ye,u as be}from"./get-attribute-from-layouts-Dd2gixpo.js";var xe=Object.create,Se=Object.defineProperty,Ce=Object.getOwnPropertyDescriptor,we=Object.getOwnPropertyNames,F=Object.getPrototypeOf,I=Object.prototype.hasOwnProperty,Te=(e,t)=>()=>(t||(e((t={exports:{}}).exports,t,t.exports),e=null),t.exports),Ee=(e,t)=>{let n={};for(var r in e)Se(n,r,{get:e[r],enumerable:!0});return t||Se(n,Symbol.toStringTag,{value:`Module`}),n},De=(e,t,n,r)=>{if(t&&typeof t==`object`||typeof t==`function`)for(var i=we(t),a=0,o=i.length,s;a<o;a++)s=i[a],!I.call(e,s)&&s!==n&&Se(e,s,{get:(e=>t[e]).bind(null,s),enumerable:!(r=Ce(t,s))||r.enumerable});return e},Oe=(e,t,n)=>(n=e==null?{}:xe(F(e)),De(t||!e||!e.__esModule||!I.call(e,`default`)?Se(n,`default`,{value:e,enumerable:!0}):n,e)),ke=class{rest=``;event=``;data=[];push(e){let t=[],n=(this.rest+e).split(`
`);this.rest=n.pop()??``;for(let e of n){let n=e.endsWith(`\r`)?e.slice(0,-1):e;if(n===``){this.data.length>0&&t.push({event:this.event||`message`,data:this.data.join(`
`)}),this.event=``,this.data=[];continue}let r=n.indexOf(`:`),i=r<0?n:n.slice(0,r),a=r<0?``:n.slice(r+1).replace(/^ /,``);i===`event`&&(this.event=a),i===`data`&&this.data.push(a)}return t}},Ae=class extends Error{status;code;suggestions;constructor(e,t,n,r=[]){super(e),this.status=t,this.code=n,this.suggestions=r,this.name=`SourceError`}},L,je,Me,Ne,Pe,Fe,Ie,Le,Re,ze,Be,Ve,He=Symbol.for(`pv`),Ue={},We=[],Ge=/^m(i|n|o|s|text|space)$/,Ke=Array.isArray,qe=We.slice,Je=Object.assign;function Ye(e){e&&e.parentNode&&e.remove()}function Xe(e,t,n){var r,i,a,o={},s=arguments.length;for(a in t)a==`key`?r=t[a]:a==`ref`&&typeof e!=`function`?i=t[a]:o[a]=t[a];return s>2&&(o.children=s>3?qe.call(arguments,2):n),Ze(e,o,r,i,null)}function Ze(e,t,n,r,i){var a={type:e,props:t,key:n,ref:r,__k:null,__:null,__b:0,__e:null,__c:null,constructor:He,__v:i||++je,__i:-1,__u:0};return!i&&L.vnode&&L.vnode(a),a}function R(e){return e.children}function Qe(e,t){this.props=e,this.context=t,this.__g=0}function $e(e,t){if(t==null)return e.__&&$e(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!=`function`||e.props.__P?null:$e(e)}function et(e){var t,n=e.__v,r=n.__e,i=[],a=[],o=e.__P;o&&((t=Je({constructor:He},n)).__v=n.__v+1,L.vnode&&L.vnode(t),dt(o,t,n,e.__n,o.namespaceURI,32&n.__u?[r]:null,i,r||$e(n),32&n.__u,a),t.__v=n.__v,t.__.__k[t.__i]=t,mt(i,t,a),n.__=n.__e=null,t.__e!=r&&tt(t))}function tt(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),tt(e)}function nt(e){(8&e.__g||(e.__g|=8,Ne.push(e),Fe++))&&Pe==L.debounceRendering||((Pe=L.debounceRendering)||queueMicrotask)(rt)}function rt(){try{for(var e,t=1;Ne.length;)Ne.length>t&&Ne.sort(Ie),e=Ne.shift(),t=Ne.length,8&e.__g&&et(e)}finally{(Fe=Ne.length)&&(Pe||queueMicrotask)(rt)}}function it(e,t,n,r,i,a,o,s,c,l,u){var d,f,p,m,h,g,_=r.__k||We,v=t.length;for(c=at(n,t,_,c,v),d=0;d<v;d++)(p=n.__k[d])!=null&&(f=~p.__i&&_[p.__i]||Ue,p.__i=d,g=dt(e,p,f,i,a,o,s,c,l,u),m=p.__e,(f.ref!=p.ref||8&f.__u)&&(f.ref&&gt(f.ref,null,p,f),p.ref&&u.push(p.ref,p.__c||m,p)),h||=m,4&p.__u?(c=ot(p,c,e,!f.__v),f.__e&&(f.__e=null)):typeof p.type==`function`&&g!==void 0?c=g:m&&(c=m.nextSibling),p.__u&=-21);return n.__e=h,c}function at(e,t,n,r,i){var a,o,s,c,l,u,d,f,p,m=n.length,h=m,g=0,_=0,v=e.__k=Array(i);for(a=0;a<i;a++)(o=t[a])!=null&&typeof o!=`boolean`&&typeof o!=`function`?(typeof o!=`object`||o.constructor===String?o=v[a]=Ze(null,o):Ke(o)?o=v[a]=Ze(R,{children:o}):o.constructor===He&&o.__b?o=v[a]=Ze(o.type,o.props,o.key,o.ref,o.__v):v[a]=o,c=a+g,o.__=e,o.__b=e.__b+1,s=null,~(l=o.__i=st(o,n,c,h))&&(h--,(s=n[l])&&(s.__u|=2)),s&&s.__v?(o.__u|=16,l==c-1?g--:l==c+1?g++:l!=c&&(l>c?g--:g++,_=1)):(~l||(i>m?g--:i<m&&g++),typeof o.type!=`function`&&(o.__u|=4))):v[a]=null;if(_){for(u=[],d=[],a=0;a<i;a++)if((o=v[a])&&16&o.__u){for(g=0,f=u.length;g<f;)u[p=g+f>>1]<o.__i?g=p+1:f=p;u[g]=o.__i,d[a]=g+1}for(g=u.length;a--;)d[a]&&(d[a]==g?g--:v[a].__u|=4)}if(h)for(a=0;a<m;a++)!(s=n[a])||2&s.__u||(s.__e==r&&(r=$e(s)),_t(s,s));return r}function ot(e,t,n,r){var i,a,o,s;if(typeof e.type==`function`){if(e.props.__P)return t;if(i=e.__k)for(a=0;a<i.length;a++)i[a]&&(i[a].__=e,t=ot(i[a],t,n,!1));return t}for(t&&!t.parentNode&&(t=$e(e))&&!t.parentNode&&(t=null),o=e.__e,s=t;s&&s.nodeType==8;)s=s.nextSibling;for(o!=s&&(!r&&n.moveBefore&&o.parentNode?n.moveBefore(o,t):n.insertBefore(o,t||null)),t=o;(t&&=t.nextSibling)&&t.nodeType==8&&!t.data.startsWith(`$s`););return t}function st(e,t,n,r){var i,a=e.key,o=e.type,s=t[n],c=s&&!(2&s.__u);if(s===null&&a==null||c&&a==s.key&&o==s.type)return n;if(r>+!!c){for(i=n-1;i>=0;i--)if((s=t[i])&&!(2&s.__u)&&a==s.key&&o==s.type)return i;for(i=n+1;i<t.length;i++)if((s=t[i])&&!(2&s.__u)&&a==s.key&&o==s.type)return i}return-1}function ct(e,t,n){n??=``,t[0]==`-`?e.setProperty(t,n):e[t]=n}function lt(e,t,n,r,i){var a,o;if(t==`style`){if(typeof n==`string`)e.style.cssText=n;else{if(typeof r==`string`&&(e.style.cssText=r=``),r)for(t in r)n&&t in n||ct(e.style,t);if(n)for(t in n)r&&n[t]==r[t]||ct(e.style,t,n[t])}}else if(t[0]==`o`&&t[1]==`n`)typeof n!=`function`&&(n=null),typeof r!=`function`&&(r=null),(e.__e||={})[t]=n,n&&r||(o=Be[t]||(Be[t]=ut(t)),(e.__a||={})[t]=ze,a=t!=(t=t.replace(Re,`$1`)),(t=t.slice(2))[0]<`a`&&(t=t.toLowerCase()),n?e.addEventListener(t,o,a):e.removeEventListener(t,o,a));else{if(i==`http://www.w3.org/2000/svg`)t=t.replace(/xlink(H|:h)/,`h`).replace(/sName$/,`s`);else if(t!=`width`&&t!=`height`&&t!=`href`&&t!=`list`&&t!=`form`&&t!=`tabIndex`&&t!=`download`&&t!=`rowSpan`&&t!=`colSpan`&&t!=`role`&&t!=`popover`&&t in e)try{e[t]=n??``;return}catch{}if(typeof n==`function`)return;n==null||!1===n&&t[4]!=`-`?e.removeAttribute(t):e.setAttribute(t,t==`popover`&&n==1?``:n)}}function ut(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[Le]==null)t[Le]=ze++;else if(t[Le]<this.__a[e])return;return n(L.event?L.event(t):t)}}}function dt(e,t,n,r,i,a,o,s,c,l){var u,d,f,p,m,h,g,_,v,y,b,x,S,C,w,T,E,D,O=t.type;if(t.constructor!==He)return null;128&n.__u&&(c=32&n.__u,u=n.__c.__z)&&(t.__u|=c,d=a=[],u.nodeType==8?s=ft(u,a):a.push(u),s=a[0]||s),(u=L.__b)&&u(t);n:if(typeof O==`function`){f=o.length;try{if(_=t.props,v=(u=O.prototype)&&u.render,y=(u=O.contextType)&&r[u.__c],b=u?y?y.props.value:u.__:r,(p=n.__c)?(t.__c=p,2&p.__g&&(p.__g|=1)):(v?t.__c=p=new O(_,b):(t.__c=p=new Qe(_,b),p.constructor=O,p.render=vt),y&&y.sub(p),p.state||(p.state={}),p.__n=r,p.__g|=8,p.__h=[],p.__k=[]),v&&(p.__s||(p.__s=p.state),O.getDerivedStateFromProps&&(p.__s==p.state&&(p.__s=Je({},p.__s)),Je(p.__s,O.getDerivedStateFromProps(_,p.__s)))),m=p.props,h=p.state,p.__v=t,n.__c){if(_!==m&&v&&!O.getDerivedStateFromProps&&p.componentWillReceiveProps&&p.componentWillReceiveProps(_,b),t.__v==n.__v&&!(8&p.__g)||!(4&p.__g)&&p.shouldComponentUpdate&&!1===p.shouldComponentUpdate(_,p.__s,b)){t.__v!=n.__v&&(p.props=_,p.state=p.__s,p.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(e){e&&(e.__=t)}),We.push.apply(p.__h,p.__k),p.__k=[],p.__h.length&&o.push(p),s=$e(n);break n}p.componentWillUpdate&&p.componentWillUpdate(_,p.__s,b),v&&p.componentDidUpdate&&p.__h.push(function(){p.componentDidUpdate(m,h,g)})}else v&&!O.getDerivedStateFromProps&&p.componentWillMount&&p.componentWillMount(),v&&p.componentDidMount&&p.__h.push(p.componentDidMount);p.context=b,p.props=_,p.__P=e,p.__g&=-5,x=L.__r,S=v?25:0;do p.__g&=-9,x&&x(t),u=p.render(p.props,p.state=p.__s,p.context);while(8&p.__g&&++S<25);v&&(We.push.apply(p.__h,p.__k),p.__k=[]),p.state=p.__s,p.getChildContext&&(r=Je({},r,p.getChildContext())),v&&n.__c&&p.getSnapshotBeforeUpdate&&(g=p.getSnapshotBeforeUpdate(m,h)),C=u&&u.type===R&&u.key==null?u.props.children:u,_.__P&&(u=s,i=(e=_.__P).namespaceURI,c=a=null,n.props&&n.props.__P!=e&&(n.__k.some(function(e){e&&_t(e,e)}),n.__k=null),s=n.__k?$e(n,0):null),s=it(e,Ke(C)?C:[C],t,n,r,i,a,o,s,c,l),_.__P&&(t.__e=null,s=u),t.__u&=-161,d&&d.some(Ye),p.__h.length&&o.push(p),1&p.__g&&(p.__g&=-4)}catch(e){if(o.length=f,t.__v=null,c||a){if(e&&e.then){if(t.__u|=128|c,a){for(~(E=a.indexOf(s||void 0))||(E=a.length);(D=a[E-1])&&D.nodeType==8;)E--;for(;E<a.length;E++)if(D=a[E]){if(a[E]=null,w){if(D==T)break}else{if(D.nodeType!=8)break;D.data.startsWith(`$s`)&&(T=ft(w=D))}}}if(!w){for(;s&&s.nodeType==8&&s.nextSibling;)s=s.nextSibling;w=s}(u=ft(w=t.__c.__z||(t.__c.__z=w)))?(t.__e=w,s=u):t.__e=s,s&&=s.nextSibling}else a&&a.some(Ye)}else t.__e=n.__e;t.__k||=n.__k||[],e&&e.then||pt(t),L.__e(e,t,n)}}else s=t.__e=ht(n.__e,t,n,r,i,a,o,c,l,e);return(u=L.diffed)&&u(t),s}function ft(e,t){if(e&&e.nodeType==8&&e.data.startsWith(`$s`))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith(`$s`))n++;else if(e.data.startsWith(`/$s`)&&!--n)return e}t&&t.push(e)}}function pt(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(pt))}function mt(e,t,n){for(var r=0;r<n.length;)gt(n[r++],n[r++],n[r++]);L.__c&&L.__c(t,e),e.some(function(t){try{e=t.__h,t.__h=[],e.some(function(e){e.call(t)})}catch(e){L.__e(e,t.__v)}})}function ht(e,t,n,r,i,a,o,s,c,l){var u,d,f,p,m,h,g,_,v=n.props||Ue,y=t.props,b=t.type;if(b==`svg`?i=`http://www.w3.org/2000/svg`:b==`math`?i=`http://www.w3.org/1998/Math/MathML`:i||=`http://www.w3.org/1999/xhtml`,a){for(u=0;u<a.length;u++)if((m=a[u])&&(b?m.localName==b:m.nodeType==3)){e=m,a[u]=null;break}}if(!e){if(_=l.ownerDocument||document,!b)return _.createTextNode(y);e=_.createElementNS(i,b,y.is?y:l),s&&=(L.__m&&L.__m(t,a),!1),a=null}if(b){if(l=b==`template`&&e.content||e,a=b==`textarea`&&y.defaultValue!=null?null:a&&qe.call(l.childNodes),!s&&a)for(v={},u=0;u<e.attributes.length;u++)v[(m=e.attributes[u]).name]=m.value;for(u in v)m=v[u],u==`dangerouslySetInnerHTML`?f=m:u==`children`||u in y||u==`value`&&`defaultValue`in y||u==`checked`&&`defaultChecked`in y||lt(e,u,null,m,i);for(u in y)m=y[u],u==`children`?p=m:u==`dangerouslySetInnerHTML`?d=m:u==`value`?h=m:u==`checked`?g=m:s&&typeof m!=`function`||v[u]===m||lt(e,u,m,v[u],i);d?(s||f&&(d.__html==f.__html||d.__html==e.innerHTML)||(e.innerHTML=d.__html),t.__k=[]):(f&&(e.textContent=``),(b==`foreignObject`||i==`http://www.w3.org/1998/Math/MathML`&&Ge.test(b))&&(i=`http://www.w3.org/1999/xhtml`),it(l,Ke(p)?p:[p],t,n,r,i,a,o,a?a[0]:n.__k&&$e(n,0),s,c),a&&a.some(Ye)),s&&b!=`textarea`||(u=`value`,b==`progress`&&h==null?e.removeAttribute(u):h==null||h===e[u]&&(b!=`progress`||h)||lt(e,u,h,v[u],i),u=`checked`,g!=null&&g!=e[u]&&lt(e,u,g,v[u],i))}else v===y||s&&e.data==y||(e.data=y);return e}function gt(e,t,n,r){try{typeof e==`function`?t?t.__x=e(t)||1:(r&&=r.__c||r.__e)&&(t=r.__x)&&(r.__x=null,typeof t==`function`?t():e(null)):e.current=t}catch(e){L.__e(e,n)}}function _t(e,t,n){var r,i,a,o;if(L.unmount&&L.unmount(e),!(r=e.ref)||r.current&&r.current!=e.__e||gt(r,null,t,e),r=e.__c){if(r.componentWillUnmount)try{r.componentWillUnmount()}catch(e){L.__e(e,t)}r.__P=r.__n=null}if(r=e.__k)for(o=0;o<r.length;o++)r[o]&&_t(r[o],t,typeof e.type!=`function`||n&&!e.props.__P);!n&&(r=e.__c)&&(r=r.__z)&&(i=ft(r,a=[]))&&(r==e.__e&&a.some(Ye),Ye(i),Ye(r)),n||Ye(e.__e),e.__e=e.__c=e.__=null}function vt(e,t,n){return this.constructor(e,n)}function yt(e,t){var n,r,i,a;L.__&&L.__(e,t),t.nodeType==9&&(t=t.documentElement),r=(n=e&&32&e.__u)?null:t.__k,t.__k=Ze(R,{children:[e]}),i=[],a=[],dt(t,t.__k,r||Ue,Ue,t.namespaceURI,r?null:t.firstChild?qe.call(t.childNodes):null,i,r?r.__e:t.firstChild,n,a),mt(i,t.__k,a),t.__k.props.children=null}function bt(e){function t(e){var n,r;return this.getChildContext||(n=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(e){this.props.value!=e.value&&n.forEach(function(e){e.__g|=4,nt(e)})},this.sub=function(e){n.add(e);var t=e.componentWillUnmount;e.componentWillUnmount=function(){n.delete(e),t&&t.call(e)}}),e.children}return t.__c=`__cC`+Ve++,t.__=e,t.Provider=(t.Consumer=function(e,t){return e.children(t)}).contextType=t,t}L={__e:function(e,t,n,r){for(var i,a,o;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((o=(a=i.constructor)&&a.getDerivedStateFromError)&&i.setState(a.getDerivedStateFromError(e)),i.componentDidCatch&&(i.componentDidCatch(e,r||{}),o=1),o&&8&i.__g)return void(i.__g|=2)}catch(t){e=t}}throw Fe=0,e}},je=0,Me=function(e){return e!=null&&e.constructor===He},Qe.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=Je({},this.state)),typeof e==`function`&&(e=e(Je({},n),this.props)),e&&(Je(n,e),this.__v&&(t&&this.__k.push(t),nt(this)))},Qe.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),nt(this))},Qe.prototype.render=R,Ne=[],Fe=0,Ie=function(e,t){return e.__v.__b-t.__v.__b},Le=Symbol(),Re=/(PointerCapture)$|Capture$/i,ze=0,Be={},Ve=0;var xt,St,Ct,wt,Tt=Object.is,Et=0,Dt=[],Ot=[],kt=L,At=kt.__b,jt=kt.__r,Mt=kt.diffed,Nt=kt.__c,Pt=kt.unmount,Ft=kt.__;function It(e,t){kt.__h&&kt.__h(St,e,Et||t),Et=0;var n=St.__H||(St.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function z(e){return Et=1,Lt(Xt,e)}function Lt(e,t,n){var r=It(xt++,2);if(r.t=e,!r.__c&&(r.__=[n?n(t):Xt(void 0,t),function(e){var t=(r.__N||r.__)[0],n=r.t(t,e);Tt(t,n)||(r.__N=[n,r.__[1]],r.__c.setState({}))}],r.__c=St,!St.__f)){St.__f=!0;var i=St.shouldComponentUpdate;St.shouldComponentUpdate=function(e,t,n){var r=this.__H;if(!r)return!0;var a=!1,o=this.props!=e;if(r.__.some(function(e){e.__N&&(a=!0,Tt(e.__[0],e.__N[0])||(o=!0))}),i){var s=i.call(this,e,t,n);return a?s||o:s}return!a||o}}return r.__}function Rt(e,t){var n=It(xt++,3);!kt.__s&&Yt(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,St.__H.__h.push(n))}function zt(e){return Et=5,Bt(function(){return{current:e}},[])}function Bt(e,t){var n=It(xt++,7);return Yt(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Vt(e){var t=St.context[e.__c],n=It(xt++,9);return n.c=e,t?(n.__??(n.__=!0,t.sub(St)),t.props.value):e.__}function Ht(){var e=It(xt++,11);if(!e.__){for(var t=St.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__=`P`+n[0]+`-`+n[1]++}return e.__}function Ut(){var e;do{for(;e=Ot.shift();)try{qt(e)}catch(t){kt.__e(t,{__:(e=e.__P)&&e.__v})}for(;e=Dt.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(qt),t.__h.some(Jt),t.__h=[]}catch(n){t.__h=[],kt.__e(n,e.__v)}}}while(Ot.length)}kt.__b=function(e){St=null,At&&At(e)},kt.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),Ft&&Ft(e,t)},kt.__r=function(e){jt&&jt(e),xt=0;var t=(St=e.__c).__H;t&&(Ct==St?St.__h=[]:(t.__h.some(qt),t.__h.some(Jt),xt=0),t.__h=[],t.__.some(function(e){e.__N&&(e.__=e.__N),e.u=e.__N=void 0})),Ct=St},kt.diffed=function(e){Mt&&Mt(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Kt(Dt.push(t)),t.__H.__.some(function(e){e.u&&(e.__H=e.u)})),Ct=St=null},kt.__c=function(e,t){t.some(function(e){try{e.__h.some(qt),e.__h=e.__h.filter(function(e){return!e.__||Jt(e)})}catch(t){e.__h=[function(){throw t}]}}),Nt&&Nt(e,t)},kt.unmount=function(e){Pt&&Pt(e);var t,n,r=e.__c;r&&r.__H&&(r.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n&&=n.__c}r.__P=n,Kt(Ot.push(r))}else qt(r)}catch(e){t=e}}),r.__H=void 0,t&&kt.__e(t,r.__v))};var Wt=typeof requestAnimationFrame==`function`;function Gt(e){var t,n=function(){clearTimeout(r),Wt&&cancelAnimationFrame(t),setTimeout(e)},r=setTimeout(n,35);Wt&&(t=requestAnimationFrame(n))}function Kt(e){e!=1&&wt==kt.requestAnimationFrame||((wt=kt.requestAnimationFrame)||Gt)(Ut)}function qt(e){var t=St,n=e.__c;typeof n==`function`&&(e.__c=void 0,n()),St=t}function Jt(e){var t=St;e.__c=e.__(),St=t}function Yt(e,t){return!e||e.length!=t.length||t.some(function(t,n){return!Tt(t,e[n])})}function Xt(e,t){return typeof t==`function`?t(e):t}var Zt=Symbol.for(`preact-signals`);function Qt(){if(rn>1)rn--;else{var e,t=!1;for((function(){var e=V;for(V=void 0;e!==void 0;){var t=e.S;if(t.v===e.v)for(var n=t.t;n!==void 0;n=n.x)n.i===e.i&&(n.i=t.i);e=e.o}})();nn!==void 0;){var n=nn;for(nn=void 0,an++;n!==void 0;){var r=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&un(n))try{n.c()}catch(n){t||=(e=n,!0)}n=r}}if(an=0,rn--,t)throw e}}function $t(e){if(rn>0)return e();sn=++on,rn++;try{return e()}finally{Qt()}}var en,B=void 0;function tn(e){var t=B,n=en;B=void 0,en=void 0;try{return e()}finally{B=t,en=n}}var nn=void 0,rn=0,an=0,on=0,sn=0,V=void 0,cn=0;function ln(e){if(B!==void 0){var t=e.n;if(t===void 0||t.t!==B)return t={i:0,S:e,p:B.s,n:void 0,t:B,e:void 0,x:void 0,r:t},B.s!==void 0&&(B.s.n=t),B.s=t,e.n=t,32&B.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=B.s,t.n=void 0,B.s.n=t,B.s=t),t}}function H(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}H.prototype.brand=Zt,H.prototype.h=function(){return!0},H.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n===void 0?tn(function(){var e;(e=t.W)==null||e.call(t)}):n.e=e)},H.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,r=e.x;n!==void 0&&(n.x=r,e.e=void 0),r!==void 0&&(r.e=n,e.x=void 0),e===this.t&&(this.t=r,r===void 0&&tn(function(){var e;(e=t.Z)==null||e.call(t)}))}},H.prototype.subscribe=function(e){var t=this;return yn(function(){var n=t.value;tn(function(){return e(n)})},{name:`sub`})},H.prototype.valueOf=function(){return this.value},H.prototype.toString=function(){return this.value+``},H.prototype.toJSON=function(){return this.value},H.prototype.peek=function(){var e=this;return tn(function(){return e.value})},Object.defineProperty(H.prototype,"value",{get:function(){var e=ln(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(an>100)throw Error(`Cycle detected`);(function(e){rn!==0&&an===0&&e.l!==sn&&(e.l=sn,V={S:e,v:e.v,i:e.i,o:V})})(this),this.v=e,this.i++,cn++,rn++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{Qt()}}}});function U(e,t){return new H(e,t)}function un(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function dn(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function fn(e){for(var t=e.s,n=void 0;t!==void 0;){var r=t.p;t.i===-1?(t.S.U(t),r!==void 0&&(r.n=t.n),t.n!==void 0&&(t.n.p=r)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=r}e.s=n}function pn(e,t){H.call(this,void 0,t),this.x=e,this.s=void 0,this.g=cn-1,this.f=4}pn.prototype=new H,pn.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===cn))return!0;if(this.g=cn,this.f|=1,this.i>0&&!un(this))return this.f&=-2,!0;var e=B;try{dn(this),B=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(e){this.v=e,this.f|=16,this.i++}return B=e,fn(this),this.f&=-2,!0},pn.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}H.prototype.S.call(this,e)},pn.prototype.U=function(e){if(this.t!==void 0&&(H.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}},pn.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}},Object.defineProperty(pn.prototype,"value",{get:function(){if(1&this.f)throw Error(`Cycle detected`);var e=ln(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function mn(e,t){return new pn(e,t)}function hn(e){var t=e.j;if(e.j=void 0,typeof t==`function`){rn++;var n=B;B=void 0;try{t()}catch(t){throw e.f&=-2,e.f|=8,gn(e),t}finally{B=n,Qt()}}}function gn(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,hn(e)}function _n(e){if(B!==this)throw Error(`Out-of-order effect`);fn(this),B=e,this.f&=-2;try{8&this.f&&gn(this)}finally{Qt()}}function vn(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,en&&en.push(this)}vn.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t==`function`&&(this.j=t)}finally{e()}},vn.prototype.S=function(){if(1&this.f)throw Error(`Cycle detected`);this.f|=1,this.f&=-9,hn(this),dn(this),rn++;var e=B;return B=this,_n.bind(this,e)},vn.prototype.N=function(){2&this.f||(this.f|=2,this.u=nn,nn=this)},vn.prototype.d=function(){this.f|=8,1&this.f||gn(this)},vn.prototype.dispose=function(){this.d()};function yn(e,t){var n=new vn(e,t);try{n.c()}catch(e){throw n.d(),e}var r=n.d.bind(n);return r[Symbol.dispose]=r,r}var bn,xn,Sn,Cn=typeof window<`u`&&!!window.__PREACT_SIGNALS_DEVTOOLS__,wn=[],Tn=[];yn(function(){bn=this.N})();function En(e,t){L[e]=t.bind(null,L[e]||function(){})}function Dn(e){if(Sn){var t=Sn;Sn=void 0,t()}Sn=e&&e.S()}function On(e){var t=this,n=e.data,r=An(n);r.name=`ReactiveDom`,r.value=n;var i=Bt(function(){for(var e=t,n=t.__v;n=n.__;)if(n.__c){n.__c.__$f|=4;break}var i=mn(function(){var e=r.value.value;return e===0?0:!0===e?``:e||``}),a=mn(function(){return!Array.isArray(i.value)&&!Me(i.value)}),o=yn(function(){if(this.N=Ln,a.value){var t=i.value;e.__v&&e.__v.__e&&e.__v.__e.nodeType===3&&(e.__v.__e.data=t)}}),s=t.__$u.d;return t.__$u.d=function(){o(),s.call(this)},[a,i]},[]),a=i[0],o=i[1];return a.value?o.peek():o.value}On.displayName=`ReactiveTextNode`,Object.defineProperties(H.prototype,{constructor:{configurable:!0,value:Xe(R,null).constructor},type:{configurable:!0,value:On},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}}),En(`__b`,function(e,t){if(Dn(),xn=void 0,typeof t.type==`string`){var n,r=t.props;for(var i in r)if(i!==`children`){var a=r[i];a instanceof H&&(n||(t.__np=n={}),n[i]=a,r[i]=a.peek())}}e(t)}),En(`__r`,function(e,t){if(e(t),t.type!==R){Dn();var n,r=t.__c;r&&(r.__$f&=-2,(n=r.__$u)===void 0&&(r.__$u=n=function(e,t){var n;return yn(function(){n=this},{name:t}),n.c=e,n}(function(e){return function(){var t;Cn&&((t=this.y)==null||t.call(this)),e.__$f|=1,e.setState({})}}(r),typeof t.type==`function`?t.type.displayName||t.type.name:``))),xn=r,Dn(n)}}),En(`__e`,function(e,t,n,r){Dn(),xn=void 0,e(t,n,r)}),En(`diffed`,function(e,t){Dn(),xn=void 0;var n;if(typeof t.type==`string`&&(n=t.__e)){var r=t.__np,i=t.props,a=n.U;if(a)for(var o in a){var s=a[o];s===void 0||r&&o in r||(s.d(),a[o]=void 0)}if(r)for(var c in a||(a={},n.U=a),r){var l=a[c],u=r[c];l===void 0?(l=kn(n,c,u,i),a[c]=l):l.o(u,i)}}e(t)});function kn(e,t,n,r){var i=t in e&&e.ownerSVGElement===void 0,a=U(n);return{o:function(e,t){a.value=e,r=t},d:yn(function(){this.N=Ln;var n=a.value.value;r[t]!==n&&(r[t]=n,i?e[t]=n:n!=null&&(!1!==n||t[4]===`-`)?e.setAttribute(t,n):e.removeAttribute(t))})}}En(`unmount`,function(e,t){if(typeof t.type==`string`){var n=t.__e;if(n){var r=n.U;if(r)for(var i in n.U=void 0,r){var a=r[i];a&&a.d()}}var o=t.__np;if(o){var s=t.props;for(var c in o)s[c]=o[c]}t.__np=void 0}else{var l=t.__c;if(l){l.__$f|=8;var u=l.__$u;u&&(l.__$u=void 0,u.d())}}e(t)}),En(`__h`,function(e,t,n,r){r<3&&(t.__$f|=2),e(t,n,r)}),Qe.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,r=n&&n.s!==void 0;for(var i in t)return!0;if(this.__f||typeof this.u==`boolean`&&!0===this.u){var a=2&this.__$f;if(!(r||a||4&this.__$f)||1&this.__$f)return!0}else if(!(r||4&this.__$f)||3&this.__$f)return!0;for(var o in e)if(o!==`__source`&&e[o]!==this.props[o])return!0;for(var s in this.props)if(!(s in e))return!0;return!1};function An(e,t){return Bt(function(){return U(e,t)},[])}function jn(e,t){var n=zt(e);return n.current=e,xn.__$f|=4,Bt(function(){return mn(function(){return n.current()},t)},[])}var Mn=typeof requestAnimationFrame>`u`?setTimeout:function(e){var t=function(){clearTimeout(n),cancelAnimationFrame(r),e()},n=setTimeout(t,35),r=requestAnimationFrame(t)},Nn=function(e){queueMicrotask(function(){queueMicrotask(e)})};function Pn(){$t(function(){for(var e;e=wn.shift();)bn.call(e)})}function Fn(){wn.push(this)===1&&(L.requestAnimationFrame||Mn)(Pn)}function In(){$t(function(){for(var e;e=Tn.shift();)bn.call(e)})}function Ln(){Tn.push(this)===1&&(L.requestAnimationFrame||Nn)(In)}function Rn(e,t){var n=zt(e);n.current=e;var r=xn;Rt(function(){return yn(function(){if(this.N=Fn,!(r&&8&r.__$f))return n.current()},t)},[])}var zn=`w2v-token`,Bn=U(sessionStorage.getItem(zn)??``),Vn=U(!1);function Hn(e){sessionStorage.setItem(zn,e),Bn.value=e,Vn.value=!1}var Un=encodeURIComponent,Wn=2e3,Gn=class{base;can={compare:!0,evaluations:!0,runs:!0};constructor(e=``){this.base=e}async get(e,t){let n={};Bn.value&&(n.Authorization=`Bearer ${Bn.value}`);let r;try{r=await fetch(this.base+e,{headers:n,...t?{signal:t}:{}})}catch(e){throw t?.aborted?e:new Ae(`The server does not answer.`,0,`unreachable`)}if(r.status===401&&(Vn.value=!0),!r.ok)throw await Kn(r);return r}async json(e,t){return await(await this.get(e,t)).json()}async bytes(e,t){return(await this.get(e,t)).arrayBuffer()}models(e){return this.json(`/explorer/models`,e)}words(e,t){return this.json(`/explorer/${Un(e)}/words`,t)}async counts(e,t){try{return new Float64Array(await this.bytes(`/explorer/${Un(e)}/counts`,t))}catch(e){if(e instanceof Ae&&e.status===404)return null;throw e}}field(e,t,n){return this.json(`/explorer/${Un(e)}/fields/${Un(t)}`,n)}map(e,t,n){return this.json(`/explorer/${Un(e)}/maps/${t}`,n)}mapProgress(e,t,n){let r=!1;return this.stream(`/explorer/${Un(e)}/maps/${t}/progress`,{event:({event:e,data:t})=>{if(e!==`progress`)return;let i=JSON.parse(t);r=i.state!==`running`,n(i)},again:()=>!r,failed:e=>n({state:`failed`,error:e.message})})}async points(e,t,n){return new Float32Array(await this.bytes(`/explorer/${Un(e)}/maps/${t}/points`,n))}async clusters(e,t,n){return new Uint16Array(await this.bytes(`/explorer/${Un(e)}/maps/${t}/clusters`,n))}place(e,t,n,r){let i=`${n.expression?`expr`:`word`}=${Un(n.text)}`;return this.json(`/explorer/${Un(e)}/place?map=${t}&${i}`,r)}neighbors(e,t,n,r){let i=`${t.expression?`expr`:`word`}=${Un(t.text)}`;return this.json(`/v1/neighbors?model=${Un(e)}&${i}&k=${n}`,r)}analogy(e,t,n,r,i,a,o){return this.json(`/explorer/${Un(e)}/analogy?a=${Un(n)}&b=${Un(r)}&c=${Un(i)}&map=${t}&k=${a}`,o)}axis(e,t,n,r,i){return this.json(`/explorer/${Un(e)}/axis?from=${Un(t)}&to=${Un(n)}&k=${r}`,i)}async axisValues(e,t,n,r){return new Float32Array(await this.bytes(`/explorer/${Un(e)}/axis/values?from=${Un(t)}&to=${Un(n)}`,r))}compare(e,t,n,r){return this.json(`/explorer/compare?old=${Un(e)}&new=${Un(t)}&k=${n}`,r)}evaluations(e){return this.json(`/explorer/evaluations`,e)}runs(e){return this.json(`/explorer/runs`,e)}run(e,t){let n=0,r=!1;return this.stream(`/explorer/runs/${Un(e)}`,{event:({event:e,data:i})=>{e===`record`?(n++,t.record(JSON.parse(i))):e===`restart`?(n=0,t.restarted()):e===`end`&&(r=!0,t.end())},again:()=>!r&&(n>0&&t.restarted(),n=0,!0),failed:e=>t.end(e)})}stream(e,t){let n=new AbortController,r=async()=>{let r=await this.get(e,n.signal);if(!r.body)return;let i=r.body.pipeThrough(new TextDecoderStream).getReader(),a=new ke;for(;;){let{done:e,value:n}=await i.read();if(e)return;for(let e of a.push(n))t.event(e)}};return(async()=>{for(;!n.signal.aborted;){try{await r()}catch(e){if(n.signal.aborted)return;if(e instanceof Ae&&e.status>=400){t.failed(e);return}}if(n.signal.aborted||!t.again())return;await new Promise(e=>setTimeout(e,Wn))}})(),{close:()=>n.abort()}}};async function Kn(e){let t={};try{t=await e.json()}catch{}return new Ae(t.error?.message??`The server answered ${e.status} ${e.statusText}`,e.status,t.error?.code??``,t.error?.suggestions??[])}var qn={state:`none`},Jn={state:`loading`};function W(e){return e.state===`ready`?e.value:null}var Yn=U(qn),Xn=U(``),Zn=mn(()=>W(Yn.value)?.find(e=>e.name===Xn.value)??null),G=U(qn),Qn=U(`pca`),$n=U(qn),er=U(null),tr=U(null),nr=U(null),rr=U(qn),ir=U(12),ar=U(qn),or=U(-1),sr=U({by:`cluster`}),cr=U(qn),lr=U(null),ur=U(qn),dr=U(null),fr=U(qn),pr=U(qn),mr=U([]),hr=U(!1),gr=U(!0),_r=U(`word`),vr=U(``),yr=U(``),br={model:``,projection:`pca`,query:null,camera:null,color:{by:`cluster`},analogy:null,axis:null,panel:`word`,other:``};function xr(e){let t=new URLSearchParams;if(e.model&&t.set(`model`,e.model),t.set(`map`,e.projection),e.query&&t.set(e.query.expression?`expr`:`word`,e.query.text),e.panel!==br.panel&&t.set(`panel`,e.panel),e.color.by===`field`?t.set(`color`,`field:${e.color.field}`):e.color.by!==`cluster`&&t.set(`color`,e.color.by),e.analogy&&e.analogy.forEach(e=>t.append(`analogy`,e)),e.axis&&e.axis.forEach(e=>t.append(`axis`,e)),e.other&&t.set(`other`,e.other),e.camera){let{x:n,y:r,zoom:i}=e.camera;t.set(`at`,`${n.toFixed(2)},${r.toFixed(2)},${i.toFixed(2)}`)}return t.toString()}function Sr(e){let t=new URLSearchParams(e.replace(/^#/,``)),n={...br};n.model=t.get(`model`)??``,n.other=t.get(`other`)??``,n.panel=t.get(`panel`)||br.panel,n.projection=t.get(`map`)===`umap`?`umap`:`pca`;let r=t.get(`word`),i=t.get(`expr`);r?n.query={text:r,expression:!1}:i&&(n.query={text:i,expression:!0}),n.color=Cr(t.get(`color`)??``);let[a,o,s]=t.getAll(`analogy`);a&&o&&s&&(n.analogy=[a,o,s]);let[c,l]=t.getAll(`axis`);c&&l&&(n.axis=[c,l]);let[u,d,f]=(t.get(`at`)??``).split(`,`).map(Number);return u!==void 0&&d!==void 0&&f!==void 0&&[u,d,f].every(Number.isFinite)&&(n.camera={x:u,y:d,zoom:Math.min(Math.max(f,-4),14)}),n}function Cr(e){return e.startsWith(`field:`)?{by:`field`,field:e.slice(6)}:e===`frequency`||e===`axis`||e===`none`?{by:e}:{by:`cluster`}}var wr=400;function Tr(){return{model:Xn.value,projection:Qn.value,query:nr.value,camera:null,color:sr.value,analogy:lr.value,axis:dr.value,panel:_r.value,other:vr.value}}function Er(e){let t=tr.peek();return t?`#${e}&at=${t.x.toFixed(2)}%2C${t.y.toFixed(2)}%2C${t.zoom.toFixed(2)}`:`#${e}`}function Dr(e){let t=``,n=!1,r=()=>{n=!0,e(Sr(location.hash)),t=xr(Tr()),n=!1};r(),window.addEventListener(`popstate`,r),yn(()=>{let e=xr(Tr());if(n||e===t)return;let r=!new URLSearchParams(t).has(`model`);t=e,r?history.replaceState(null,``,Er(e)):history.pushState(null,``,Er(e))});let i=0;yn(()=>{tr.value&&(clearTimeout(i),i=window.setTimeout(()=>history.replaceState(null,``,Er(t)),wr))})}function Or(e,t){let n=e.trim();return n===``?null:{text:n,expression:!t(n)&&/\s[+-]\s/.test(n)}}function kr(e){return W(G.peek())?.ids.has(e)??!1}function Ar(e){let t=Or(e,kr);$t(()=>{nr.value=t,t&&_r.peek()!==`compare`&&(_r.value=`word`)})}function jr(){nr.value=null}function Mr(e){e!==Xn.peek()&&$t(()=>{Xn.value=e,mr.value=[],or.value=-1,tr.value=null,sr.peek().by===`field`&&(sr.value={by:`cluster`})})}function Nr(e){Qn.value=e}function Pr(e){sr.value=e}function Fr(e,t,n){$t(()=>{lr.value=[e,t,n],_r.value=`analogy`})}function Ir(){lr.value=null}function Lr(e,t){$t(()=>{dr.value=[e,t],sr.value={by:`axis`},_r.value=`axis`})}function Rr(){$t(()=>{dr.value=null,sr.peek().by===`axis`&&(sr.value={by:`cluster`})})}function zr(e){$t(()=>{mr.value=[...e].sort((e,t)=>e-t),e.length>0&&(_r.value=`selection`),yr.value=e.length===1?`1 word selected`:`${e.length} words selected`})}function Br(e){let t=[];er.peek()?.clusters.forEach((n,r)=>{n===e&&t.push(r)}),zr(t)}function Vr(){mr.value=[]}function Hr(e){$t(()=>{e.model&&(Xn.value=e.model),Qn.value=e.projection,nr.value=e.query,lr.value=e.analogy,dr.value=e.axis,sr.value=e.color,_r.value=e.panel,vr.value=e.other,e.camera&&(tr.value=e.camera)})}var Ur=.002,Wr=2e4;function Gr(e,t,n,r,i){let a=r.length/2,o=Math.max(1,Math.floor(a/Wr)),s=[],c=[];for(let e=0;e<a;e+=o)s.push(r[2*e]??0),c.push(r[2*e+1]??0);let[l,u]=Kr(s),[d,f]=Kr(c),p=(l+u)/2,m=(d+f)/2,h=200/Math.max(u-l,f-d,1e-12),g=new Float32Array(r.length);for(let e=0;e<r.length;e+=2)g[e]=((r[e]??0)-p)*h,g[e+1]=((r[e+1]??0)-m)*h;return{model:e,projection:t,info:n,points:g,clusters:i,toMap:(e,t)=>[(e-p)*h,(t-m)*h]}}function Kr(e){let t=Float64Array.from(e).sort(),n=e=>t[Math.round(e*(t.length-1))]??0;return[n(Ur),n(.998)]}function qr(e,t,n,r){let i=new AbortController,{signal:a}=i,o=null,s=e=>{a.aborted||r.info({state:`failed`,error:e instanceof Error?e:Error(String(e))})},c=async()=>{let[i,o,s]=await Promise.all([e.map(t.name,n,a),e.points(t.name,n,a),e.clusters(t.name,n,a)]);a.aborted||(r.info({state:`ready`,value:i}),r.layout(Gr(t.name,n,i,o,s)))};return r.info(Jn),(async()=>{let i=await e.map(t.name,n,a);if(!a.aborted){if(i.state===`failed`)throw Error(i.error??`The projection failed.`);if(i.state===`ready`)return c();r.info({state:`ready`,value:i}),o=e.mapProgress(t.name,n,e=>{a.aborted||(e.state===`ready`?c().catch(s):e.state===`failed`?s(Error(e.error??`The projection failed.`)):r.info({state:`ready`,value:e}))})}})().catch(s),()=>{i.abort(),o?.close()}}var Jr=class{target;control=null;constructor(e){this.target=e}clear(){this.control?.abort(),this.control=null,this.target.value=qn}async ask(e,t=!1){this.control?.abort();let n=new AbortController;this.control=n,t&&this.target.peek().state===`ready`||(this.target.value=Jn);try{let t=await e(n.signal);this.control===n&&(this.target.value={state:`ready`,value:t})}catch(e){this.control===n&&(this.target.value={state:`failed`,error:e instanceof Error?e:Error(String(e))})}}},Yr=25,Xr=10;function Zr(e){new Jr(Yn).ask(t=>e.models(t)),yn(()=>{let e=W(Yn.value),t=e?.[0];t&&!e.some(e=>e.name===Xn.value)&&(Xn.value=t.name)});let t=new Jr(G);yn(()=>{let n=Zn.value;if(!n)return t.clear();t.ask(async t=>{let[r,i]=await Promise.all([e.words(n.name,t),n.counts?e.counts(n.name,t):null]);return{words:r,counts:i,ids:new Map(r.map((e,t)=>[e,t]))}})}),Qr(e);let n=new Jr(rr);yn(()=>{let t=Zn.value,r=nr.value,i=ir.value;if(!t||!r)return n.clear();n.ask(n=>e.neighbors(t.name,r,i,n))});let r=new Jr(ar);yn(()=>{let t=er.value,n=nr.value;if(!t||t.model!==Xn.value||!n)return r.clear();r.ask(r=>e.place(t.model,t.projection,n,r))});let i=new Jr(ur);yn(()=>{let t=er.value,n=lr.value;if(!t||t.model!==Xn.value||!n)return i.clear();i.ask(r=>e.analogy(t.model,t.projection,...n,Xr,r))});let a=new Jr(fr),o=new Jr(pr);yn(()=>{let t=Zn.value,n=dr.value;if(!t||!n)return a.clear(),o.clear();a.ask(r=>e.axis(t.name,...n,Yr,r)),o.ask(r=>e.axisValues(t.name,...n,r))});let s=new Jr(cr);yn(()=>{let t=Zn.value,n=sr.value;if(!t||n.by!==`field`)return s.clear();s.ask(r=>e.field(t.name,n.field,r))})}function Qr(e){let t=()=>{};yn(()=>{let n=Zn.value,r=Qn.value;t(),n&&(er.peek()?.model!==n.name&&(er.value=null),t=qr(e,n,r,{info:e=>$n.value=e,layout:e=>er.value=e}))})}var $r=200,ei=700,ti=mn(()=>_r.value!==`compare`||vr.value===Zn.value?.name?null:W(Yn.value)?.find(e=>e.name===vr.value)??null),ni=U(qn),ri=U(qn),ii=U(null),ai=U(qn),oi=U(qn),si=U(qn);function ci(e){let t=new Jr(ni);yn(()=>{let n=ti.value;if(!n)return t.clear();t.ask(async t=>{let r=await e.words(n.name,t);return{words:r,counts:null,ids:new Map(r.map((e,t)=>[e,t]))}})});let n=()=>{};yn(()=>{let t=ti.value,r=Qn.value;n(),ii.peek()?.model!==t?.name&&(ii.value=null),t&&(n=qr(e,t,r,{info:e=>ri.value=e,layout:e=>ii.value=e}))});let r=new Jr(ai);yn(()=>{let t=ti.value,n=nr.value,i=ir.value;if(!t||!n)return r.clear();r.ask(r=>e.neighbors(t.name,n,i,r))});let i=new Jr(oi);yn(()=>{let t=ii.value,n=nr.value;if(!t||!n)return i.clear();i.ask(r=>e.place(t.model,t.projection,n,r))});let a=new Jr(si),o;yn(()=>{let t=Zn.value,n=ti.value;if(clearTimeout(o),a.clear(),!t||!n)return;let r=async()=>{await a.ask(r=>e.compare(t.name,n.name,$r,r),!0),Zn.peek()===t&&ti.peek()===n&&W(si.peek())?.state===`running`&&(o=setTimeout(()=>void r(),ei))};r()})}var li=.94;function ui(e){return{x:0,y:0,zoom:_i(Math.log2(li*Math.max(1,Math.min(e.width,e.height))/200))}}function di(e,t){return e.zoom-ui(t).zoom}function fi(e,t,n){let r={left:1/0,bottom:1/0,right:-1/0,top:-1/0};for(let[t,n]of e)r.left=Math.min(r.left,t),r.right=Math.max(r.right,t),r.bottom=Math.min(r.bottom,n),r.top=Math.max(r.top,n);if(e.length===0)return ui(t);let i=Math.max(60,t.width-180),a=Math.max(60,t.height-90),o=Math.log2(Math.min(i/Math.max(1e-6,r.right-r.left),a/Math.max(1e-6,r.top-r.bottom))),s=ui(t).zoom;return{x:(r.left+r.right)/2,y:(r.bottom+r.top)/2,zoom:_i(Math.min(Math.max(o,s),s+n))}}function pi(e,t,n,r){let i=2**e.zoom;return[t.width/2+(n-e.x)*i,t.height/2-(r-e.y)*i]}function mi(e,t,n,r){let i=2**e.zoom;return[e.x+(n-t.width/2)/i,e.y-(r-t.height/2)/i]}function hi(e,t){let[n,r]=mi(e,t,0,0),[i,a]=mi(e,t,t.width,t.height);return{left:n,bottom:a,right:i,top:r}}function gi(e,t,n){return t>=e.left&&t<=e.right&&n>=e.bottom&&n<=e.top}function _i(e){return Math.min(12,Math.max(-2,e))}function vi(e,t,n,r){let i=2**e.zoom;return{x:e.x+t/i,y:e.y+n/i,zoom:_i(e.zoom+r)}}function yi(e,t,n){let r=e.zoom+(t.zoom-e.zoom)*n,[i,a,o]=[2**-e.zoom,2**-t.zoom,2**-r],s=Math.abs(i-a)<1e-9*i?n:(o-i)/(a-i);return{x:e.x+(t.x-e.x)*s,y:e.y+(t.y-e.y)*s,zoom:r}}function bi(e){return e<.5?4*e**3:1-(-2*e+2)**3/2}function xi(e){let t=Number.parseInt(e,16);return[t>>16,t>>8&255,t&255]}var Si=[`4477aa`,`cc6677`,`117733`,`aa7a00`,`332288`,`44aa99`,`882255`,`999933`,`aa4499`,`0f86c4`].map(xi),Ci=[`77aadd`,`ee8866`,`44bb99`,`eedd88`,`ffaabb`,`99ddff`,`bbcc33`,`cc99ff`,`d9a066`,`8fd175`].map(xi),wi=[`440154`,`482878`,`3e4a89`,`31688e`,`26828e`,`1f9e89`,`35b779`,`6ece58`,`b5de2b`,`fde725`].map(xi),Ti=[`1f5fb4`,`6f9fd8`,`c3c7cd`,`e39a5a`,`b04a00`].map(xi),Ei=[`5aa2ff`,`3f6fae`,`4a5058`,`b3703a`,`ff9c4a`].map(xi);function Di(e){return e?Ci:Si}function Oi(e){return e?[84,92,104]:[176,183,194]}function ki(e){return e?[122,166,240]:[52,96,190]}function Ai(e,t){return Mi(wi,t?e:.92*(1-e))}function ji(e,t){return Mi(t?Ei:Ti,(e+1)/2)}function Mi(e,t){let n=Math.min(1,Math.max(0,t))*(e.length-1),r=Math.min(e.length-2,Math.floor(n)),[i,a]=[e[r],e[r+1]];if(!i||!a)return[0,0,0];let o=e=>Math.round(i[e]+(a[e]-i[e])*(n-r));return[o(0),o(1),o(2)]}function Ni([e,t,n],r=1){return r===1?`rgb(${e} ${t} ${n})`:`rgb(${e} ${t} ${n} / ${r})`}var Pi=65535,Fi=10,Ii=24,Li=.02,Ri=new Intl.NumberFormat(`en`,{maximumSignificantDigits:3});function zi(e,t){let n=new Uint8Array(4*e);for(let r=0;r<e;r++){let[e,i,a]=t(r);n[4*r]=e,n[4*r+1]=i,n[4*r+2]=a,n[4*r+3]=255}return n}function Bi(e,t,n){let r=Oi(n);switch(t.by){case`none`:{let t=ki(n);return{colors:zi(e,()=>t),legend:{kind:`none`}}}case`cluster`:{let i=qi(t.info,n),a=zi(e,e=>i.get(t.clusters[e]??Pi)??r),o=[...t.info].sort((e,t)=>t.size-e.size),s=o.slice(0,Fi).map(e=>({label:e.label,color:i.get(e.id)??r,cluster:e.id}));return{colors:a,legend:{kind:`swatches`,title:`Clusters, the largest first`,entries:s,more:Math.max(0,o.length-s.length)}}}case`frequency`:{let{counts:r}=t;if(!r){let t=Math.log(e+1);return{colors:Ui(e,e=>1-Math.log(e+1)/t,n),legend:Wi(`Rank by frequency`,`${Ri.format(e)}th`,`1st`,e=>Ai(e,n))}}let i=Float64Array.from({length:e},(e,t)=>Math.log(Math.max(1,r[t]??1))),[a,o]=Ki(i,0,0);return{colors:Ui(e,e=>Gi(i[e]??0,a,o),n),legend:Wi(`Occurrences, logarithmic`,Ri.format(Math.round(Math.exp(a))),Ri.format(Math.round(Math.exp(o))),e=>Ai(e,n))}}case`field`:return t.field.kind===`category`?Vi(e,t.name,t.field,n):Hi(e,t.name,t.field.values,n);case`axis`:{let{values:i}=t,[a,o]=Ki(i,Li,Li),s=Math.max(Math.abs(a),Math.abs(o),1e-9),c=Array.from({length:256},(e,t)=>ji(2*t/255-1,n));return{colors:zi(e,e=>c[Math.round(255*Gi(i[e]??0,-s,s))]??r),legend:Wi(`Axis`,t.from,t.to,e=>ji(2*e-1,n))}}}}function Vi(e,t,n,r){let i=Oi(r),a=new Map;for(let e of n.values)a.set(e,(a.get(e)??0)+1);let o=n.categories.map((e,t)=>t).sort((e,t)=>(a.get(t)??0)-(a.get(e)??0)),s=new Map(o.slice(0,Di(r).length).map((e,t)=>[e,Di(r)[t]??i])),c=zi(e,e=>s.get(n.values[e]??-1)??i),l=[...s].map(([e,t])=>({label:n.categories[e]??``,color:t}));return{colors:c,legend:{kind:`swatches`,title:t,entries:l,more:o.length-l.length}}}function Hi(e,t,n,r){let i=Oi(r),a=n.filter(e=>e!==null),[o,s]=Ki(Float64Array.from(a),Li,Li);return{colors:zi(e,e=>{let t=n[e];return t==null?i:Ai(Gi(t,o,s),r)}),legend:Wi(t,Ri.format(o),Ri.format(s),e=>Ai(e,r))}}function Ui(e,t,n){let r=Array.from({length:256},(e,t)=>Ai(t/255,n));return zi(e,e=>r[Math.round(255*t(e))]??[0,0,0])}function Wi(e,t,n,r){return{kind:`ramp`,title:e,low:t,high:n,colors:Array.from({length:Ii},(e,t)=>r(t/23))}}function Gi(e,t,n){return n>t?Math.min(1,Math.max(0,(e-t)/(n-t))):.5}function Ki(e,t,n){let r=Float64Array.from(e).sort(),i=r.length-1;return i<0?[0,0]:[r[Math.round(t*i)]??0,r[Math.round((1-n)*i)]??0]}function qi(e,t){let n=Di(t),r=[],i=new Map;for(let a of[...e].sort((e,t)=>t.size-e.size)){let e=0,o=-1;n.forEach((t,n)=>{let i=1/0;for(let e of r)e.color===n&&(i=Math.min(i,Math.hypot(e.x-a.x,e.y-a.y)));i>o&&([e,o]=[n,i])}),r.push({x:a.x,y:a.y,color:e}),i.set(a.id,n[e]??Oi(t))}return i}var Ji=`w2v-theme`,Yi=matchMedia(`(prefers-color-scheme: dark)`),Xi=U(Yi.matches);Yi.addEventListener(`change`,e=>Xi.value=e.matches);var Zi=U(na()),Qi=mn(()=>Zi.value===`system`?Xi.value:Zi.value===`dark`),$i=matchMedia(`(prefers-reduced-motion: reduce)`);function ea(){return $i.matches}function ta(){yn(()=>{document.documentElement.dataset.theme=Qi.value?`dark`:`light`;try{localStorage.setItem(Ji,Zi.value)}catch{}})}function na(){try{let e=localStorage.getItem(Ji);if(e===`light`||e===`dark`)return e}catch{}return`system`}function ra(e,t){if(!e)throw Error(t||`loader assertion failed.`)}var ia={self:typeof self<`u`&&self,window:typeof window<`u`&&window,global:typeof global<`u`&&global,document:typeof document<`u`&&document};ia.self||ia.window||ia.global,ia.window||ia.self||ia.global,ia.global||ia.self||ia.window,ia.document;var aa=!!(typeof process!=`object`||String(process)!==`[object process]`||process.browser),oa=typeof process<`u`&&process.version&&/v([0-9]*)/.exec(process.version);oa&&parseFloat(oa[1]);function sa(n){return!n&&!t()?`Node`:e(n)?`Electron`:(n||h.userAgent||``).indexOf(`Edge`)>-1?`Edge`:globalThis.chrome?`Chrome`:globalThis.safari?`Safari`:globalThis.mozInnerScreenX?`Firefox`:`Unknown`}var ca=`v4.5.4`;function la(){let e=new g({id:`loaders.gl`});return globalThis.loaders||={},globalThis.loaders.log=e,globalThis.loaders.version=ca,globalThis.probe||={},globalThis.probe.loaders=e,e}var ua=la(),da=e=>typeof e==`boolean`,fa=e=>typeof e==`function`,pa=e=>typeof e==`object`&&!!e,ma=e=>pa(e)&&e.constructor==={}.constructor,ha=e=>typeof SharedArrayBuffer<`u`&&e instanceof SharedArrayBuffer,ga=e=>pa(e)&&typeof e.byteLength==`number`&&typeof e.slice==`function`,_a=e=>!!e&&fa(e[Symbol.iterator]),va=e=>!!e&&fa(e[Symbol.asyncIterator]),ya=e=>typeof Response<`u`&&e instanceof Response||pa(e)&&fa(e.arrayBuffer)&&fa(e.text)&&fa(e.json),ba=e=>typeof Blob<`u`&&e instanceof Blob,xa=e=>typeof ReadableStream<`u`&&e instanceof ReadableStream||pa(e)&&fa(e.tee)&&fa(e.cancel)&&fa(e.getReader),Sa=e=>pa(e)&&fa(e.read)&&fa(e.pipe)&&da(e.readable),Ca=e=>xa(e)||Sa(e);function wa(e,t){return Ta(e||{},t)}function Ta(e,t,n=0){if(n>3)return t;let r={...e};for(let[e,i]of Object.entries(t))r[e]=i&&typeof i==`object`&&!Array.isArray(i)?Ta(r[e]||{},t[e],n+1):t[e];return r}var Ea=`latest`;function Da(){return globalThis._loadersgl_?.version||(globalThis._loadersgl_=globalThis._loadersgl_||{},globalThis._loadersgl_.version=`4.5.4`),globalThis._loadersgl_.version}var Oa=Da();function ka(e,t){if(!e)throw Error(t||`loaders.gl assertion failed.`)}var Aa={self:typeof self<`u`&&self,window:typeof window<`u`&&window,global:typeof global<`u`&&global,document:typeof document<`u`&&document};Aa.self||Aa.window||Aa.global,Aa.window||Aa.self||Aa.global,Aa.global||Aa.self||Aa.window,Aa.document;var ja=typeof process!=`object`||String(process)!==`[object process]`||process.browser,Ma=typeof window<`u`&&window.orientation!==void 0,Na=typeof process<`u`&&process.version&&/v([0-9]*)/.exec(process.version);Na&&parseFloat(Na[1]);var Pa=class{name;workerThread;isRunning=!0;result;_resolve=()=>{};_reject=()=>{};constructor(e,t){this.name=e,this.workerThread=t,this.result=new Promise((e,t)=>{this._resolve=e,this._reject=t})}postMessage(e,t){this.workerThread.postMessage({source:`loaders.gl`,type:e,payload:t})}done(e){ka(this.isRunning),this.isRunning=!1,this._resolve(e)}error(e){ka(this.isRunning),this.isRunning=!1,this._reject(e)}},Fa=class{terminate(){}},Ia=new Map;function La(e){ka(e.source&&!e.url||!e.source&&e.url);let t=Ia.get(e.source||e.url);return t||(e.url&&(t=Ra(e.url),Ia.set(e.url,t)),e.source&&(t=za(e.source),Ia.set(e.source,t))),ka(t),t}function Ra(e){return e.startsWith(`http`)?za(Ba(e)):e}function za(e){let t=new Blob([e],{type:`application/javascript`});return URL.createObjectURL(t)}function Ba(e){return`\
try {
  importScripts('${e}');
} catch (error) {
  console.error(error);
  throw error;
}`}function Va(e,t=!0,n){let r=n||new Set;if(e){if(Ha(e))r.add(e);else if(Ha(e.buffer))r.add(e.buffer);else if(!ArrayBuffer.isView(e)&&t&&typeof e==`object`)for(let n in e)Va(e[n],t,r)}return n===void 0?Array.from(r):[]}function Ha(e){return e?e instanceof ArrayBuffer||typeof MessagePort<`u`&&e instanceof MessagePort||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof OffscreenCanvas<`u`&&e instanceof OffscreenCanvas:!1}var Ua=()=>{},Wa=class{name;source;url;terminated=!1;worker;onMessage;onError;_loadableURL=``;static isSupported(){return typeof Worker<`u`&&ja||Fa!==void 0&&!ja}constructor(e){let{name:t,source:n,url:r}=e;ka(n||r),this.name=t,this.source=n,this.url=r,this.onMessage=Ua,this.onError=e=>console.log(e),this.worker=ja?this._createBrowserWorker():this._createNodeWorker()}destroy(){this.onMessage=Ua,this.onError=Ua,this.worker.terminate(),this.terminated=!0}get isRunning(){return!!this.onMessage}postMessage(e,t){t||=Va(e),this.worker.postMessage(e,t)}_getErrorFromErrorEvent(e){let t=`Failed to load `;return t+=`worker ${this.name} from ${this.url}. `,e.message&&(t+=`${e.message} in `),e.lineno&&(t+=`:${e.lineno}:${e.colno}`),Error(t)}_createBrowserWorker(){this._loadableURL=La({source:this.source,url:this.url});let e=new Worker(this._loadableURL,{name:this.name});return e.onmessage=e=>{e.data?this.onMessage(e.data):this.onError(Error(`No data received`))},e.onerror=e=>{this.onError(this._getErrorFromErrorEvent(e)),this.terminated=!0},e.onmessageerror=e=>console.error(e),e}_createNodeWorker(){let e;if(this.url)e=new Fa(this.url.includes(`:/`)||this.url.startsWith(`/`)?this.url:`./${this.url}`,{eval:!1,type:this.url.endsWith(`.ts`)||this.url.endsWith(`.mjs`)?`module`:`commonjs`});else if(this.source)e=new Fa(this.source,{eval:!0});else throw Error(`no worker`);return e.on(`message`,e=>{this.onMessage(e)}),e.on(`error`,e=>{this.onError(e)}),e.on(`exit`,e=>{}),e}},Ga=class{name=`unnamed`;source;url;maxConcurrency=1;maxMobileConcurrency=1;onDebug=()=>{};reuseWorkers=!0;props={};jobQueue=[];idleQueue=[];count=0;isDestroyed=!1;static isSupported(){return Wa.isSupported()}constructor(e){this.source=e.source,this.url=e.url,this.setProps(e)}destroy(){this.idleQueue.forEach(e=>e.destroy()),this.isDestroyed=!0}setProps(e){this.props={...this.props,...e},e.name!==void 0&&(this.name=e.name),e.maxConcurrency!==void 0&&(this.maxConcurrency=e.maxConcurrency),e.maxMobileConcurrency!==void 0&&(this.maxMobileConcurrency=e.maxMobileConcurrency),e.reuseWorkers!==void 0&&(this.reuseWorkers=e.reuseWorkers),e.onDebug!==void 0&&(this.onDebug=e.onDebug)}async startJob(e,t=(e,t,n)=>e.done(n),n=(e,t)=>e.error(t)){let r=new Promise(r=>(this.jobQueue.push({name:e,onMessage:t,onError:n,onStart:r}),this));return this._startQueuedJob(),await r}async _startQueuedJob(){if(!this.jobQueue.length)return;let e=this._getAvailableWorker();if(!e)return;let t=this.jobQueue.shift();if(t){this.onDebug({message:`Starting job`,name:t.name,workerThread:e,backlog:this.jobQueue.length});let n=new Pa(t.name,e);e.onMessage=e=>t.onMessage(n,e.type,e.payload),e.onError=e=>t.onError(n,e),t.onStart(n);try{await n.result}catch(e){console.error(`Worker exception: ${e}`)}finally{this.returnWorkerToQueue(e)}}}returnWorkerToQueue(e){!ja||this.isDestroyed||!this.reuseWorkers||this.count>this._getMaxConcurrency()?(e.destroy(),this.count--):this.idleQueue.push(e),this.isDestroyed||this._startQueuedJob()}_getAvailableWorker(){return this.idleQueue.length>0?this.idleQueue.shift()||null:this.count<this._getMaxConcurrency()?(this.count++,new Wa({name:`${this.name.toLowerCase()} (#${this.count} of ${this.maxConcurrency})`,source:this.source,url:this.url})):null}_getMaxConcurrency(){return Ma?this.maxMobileConcurrency:this.maxConcurrency}},Ka={maxConcurrency:3,maxMobileConcurrency:1,reuseWorkers:!0,onDebug:()=>{}},qa=class e{props;workerPools=new Map;static _workerFarm;static isSupported(){return Wa.isSupported()}static getWorkerFarm(t={}){return e._workerFarm=e._workerFarm||new e({}),e._workerFarm.setProps(t),e._workerFarm}constructor(e){this.props={...Ka},this.setProps(e),this.workerPools=new Map}destroy(){for(let e of this.workerPools.values())e.destroy();this.workerPools=new Map}setProps(e){this.props={...this.props,...e};for(let e of this.workerPools.values())e.setProps(this._getWorkerPoolProps())}getWorkerPool(e){let{name:t,source:n,url:r}=e,i=this.workerPools.get(t);return i||(i=new Ga({name:t,source:n,url:r}),i.setProps(this._getWorkerPoolProps()),this.workerPools.set(t,i)),i}_getWorkerPoolProps(){return{maxConcurrency:this.props.maxConcurrency,maxMobileConcurrency:this.props.maxMobileConcurrency,reuseWorkers:this.props.reuseWorkers,onDebug:this.props.onDebug}}};function Ja(e,t={}){let n=t[e.id]||{},r=ja?e.workerFile||`${e.id}-worker.js`:`${e.id}-worker-node.js`,i=n.workerUrl;if(!i&&e.id===`compression`&&(i=t.workerUrl),(t._workerType||t?.core?._workerType)===`test`&&(i=ja?`modules/${e.module}/dist/${r}`:`modules/${e.module}/src/workers/${e.id}-worker-node.ts`),!i){let t=e.version;t===`latest`&&(t=Ea);let n=t?`@${t}`:``;i=`https://unpkg.com/@loaders.gl/${e.module}${n}/dist/${r}`}return ka(i),i}function Ya(e,t=Oa){ka(e,`no worker provided`);let n=e.version;return!(!t||!n)}function Xa(e,t){if(!qa.isSupported())return!1;let n=t?._nodeWorkers??t?.core?._nodeWorkers;if(!ja&&!n)return!1;let r=t?.worker??t?.core?.worker;return!!(e.worker&&r)}async function Za(e,t,n,r,i){let a=e.id,o=Ja(e,n),s=qa.getWorkerFarm(n?.core).getWorkerPool({name:a,url:o});n=JSON.parse(JSON.stringify(n||{})),n._workerLoaderId=e.id,r=JSON.parse(JSON.stringify(r||{}));let c=await s.startJob(`process-on-worker`,Qa.bind(null,i));return c.postMessage(`process`,{input:t,options:n,context:r}),await(await c.result).result}async function Qa(e,t,n,r){switch(n){case`done`:t.done(r);break;case`error`:t.error(Error(r.error));break;case`process`:let{id:i,input:a,options:o}=r;try{let n=await e(a,o);t.postMessage(`done`,{id:i,result:n})}catch(e){let n=e instanceof Error?e.message:`unknown error`;t.postMessage(`error`,{id:i,error:n})}break;default:console.warn(`parse-with-worker unknown message ${n}`)}}function $a(e,t,n){if(n||=e.byteLength,e.byteLength<n||t.byteLength<n)return!1;let r=new Uint8Array(e),i=new Uint8Array(t);for(let e=0;e<r.length;++e)if(r[e]!==i[e])return!1;return!0}function eo(...e){return to(e)}function to(e){let t=e.map(e=>e instanceof ArrayBuffer?new Uint8Array(e):e),n=t.reduce((e,t)=>e+t.byteLength,0),r=new Uint8Array(n),i=0;for(let e of t)r.set(e,i),i+=e.byteLength;return r.buffer}async function no(e){let t=[];for await(let n of e)t.push(ro(n));return eo(...t)}function ro(e){if(e instanceof ArrayBuffer)return e;if(ArrayBuffer.isView(e)){let{buffer:t,byteOffset:n,byteLength:r}=e;return io(t,n,r)}return io(e)}function io(e,t=0,n=e.byteLength-t){let r=new Uint8Array(e,t,n),i=new Uint8Array(r.length);return i.set(r),i.buffer}function ao(){let e;if(typeof window<`u`&&window.performance)e=window.performance.now();else if(typeof process<`u`&&process.hrtime){let t=process.hrtime();e=t[0]*1e3+t[1]/1e6}else e=Date.now();return e}var oo=class{constructor(e,t){this.sampleSize=1,this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this.name=e,this.type=t,this.reset()}reset(){return this.time=0,this.count=0,this.samples=0,this.lastTiming=0,this.lastSampleTime=0,this.lastSampleCount=0,this._count=0,this._time=0,this._samples=0,this._startTime=0,this._timerPending=!1,this}setSampleSize(e){return this.sampleSize=e,this}incrementCount(){return this.addCount(1),this}decrementCount(){return this.subtractCount(1),this}addCount(e){return this._count+=e,this._samples++,this._checkSampling(),this}subtractCount(e){return this._count-=e,this._samples++,this._checkSampling(),this}addTime(e){return this._time+=e,this.lastTiming=e,this._samples++,this._checkSampling(),this}timeStart(){return this._startTime=ao(),this._timerPending=!0,this}timeEnd(){return this._timerPending&&(this.addTime(ao()-this._startTime),this._timerPending=!1,this._checkSampling()),this}getSampleAverageCount(){return this.sampleSize>0?this.lastSampleCount/this.sampleSize:0}getSampleAverageTime(){return this.sampleSize>0?this.lastSampleTime/this.sampleSize:0}getSampleHz(){return this.lastSampleTime>0?this.sampleSize/(this.lastSampleTime/1e3):0}getAverageCount(){return this.samples>0?this.count/this.samples:0}getAverageTime(){return this.samples>0?this.time/this.samples:0}getHz(){return this.time>0?this.samples/(this.time/1e3):0}_checkSampling(){this._samples===this.sampleSize&&(this.lastSampleTime=this._time,this.lastSampleCount=this._count,this.count+=this._count,this.time+=this._time,this.samples+=this._samples,this._time=0,this._count=0,this._samples=0)}},so=class{constructor(e){this.stats={},this.id=e.id,this.stats={},this._initializeStats(e.stats),Object.seal(this)}get(e,t=`count`){return this._getOrCreate({name:e,type:t})}get size(){return Object.keys(this.stats).length}reset(){for(let e of Object.values(this.stats))e.reset();return this}forEach(e){for(let t of Object.values(this.stats))e(t)}getTable(){let e={};return this.forEach(t=>{e[t.name]={time:t.time||0,count:t.count||0,average:t.getAverageTime()||0,hz:t.getHz()||0}}),e}_initializeStats(e=[]){e.forEach(e=>this._getOrCreate(e))}_getOrCreate(e){let{name:t,type:n}=e,r=this.stats[t];return r||(r=e instanceof oo?e:new oo(t,n),this.stats[t]=r),r}},co=``,lo={};function uo(e){for(let t in lo)if(e.startsWith(t)){let n=lo[t];e=e.replace(t,n)}return!e.startsWith(`http://`)&&!e.startsWith(`https://`)&&(e=`${co}${e}`),e}function fo(e){return e}function po(e){return e&&typeof e==`object`&&e.isBuffer}function mo(e){if(po(e))return fo(e);if(e instanceof ArrayBuffer)return e;if(ha(e))return go(e);if(ArrayBuffer.isView(e)){let t=e.buffer;return e.byteOffset===0&&e.byteLength===e.buffer.byteLength?t:t.slice(e.byteOffset,e.byteOffset+e.byteLength)}if(typeof e==`string`){let t=e;return new TextEncoder().encode(t).buffer}if(e&&typeof e==`object`&&e._toArrayBuffer)return e._toArrayBuffer();throw Error(`toArrayBuffer`)}function ho(e){if(e instanceof ArrayBuffer)return e;if(ha(e))return go(e);let{buffer:t,byteOffset:n,byteLength:r}=e;return t instanceof ArrayBuffer&&n===0&&r===t.byteLength?t:go(t,n,r)}function go(e,t=0,n=e.byteLength-t){let r=new Uint8Array(e,t,n),i=new Uint8Array(r.length);return i.set(r),i.buffer}function _o(e){return ArrayBuffer.isView(e)?e:new Uint8Array(e)}function vo(e){let t=e?e.lastIndexOf(`/`):-1;return t>=0?e.substr(t+1):e}function yo(e){let t=e?e.lastIndexOf(`/`):-1;return t>=0?e.substr(0,t):``}var bo=class extends Error{constructor(e,t){super(e),this.reason=t.reason,this.url=t.url,this.response=t.response}reason;url;response},xo=/^data:([-\w.]+\/[-\w.+]+)(;|,)/,So=/^([-\w.]+\/[-\w.+]+)/;function Co(e,t){return e.toLowerCase()===t.toLowerCase()}function wo(e){let t=So.exec(e);return t?t[1]:e}function To(e){let t=xo.exec(e);return t?t[1]:``}var Eo=/\?.*/;function Do(e){let t=e.match(Eo);return t&&t[0]}function Oo(e){return e.replace(Eo,``)}function ko(e){if(e.length<50)return e;let t=e.slice(e.length-15);return`${e.substr(0,32)}...${t}`}function Ao(e){return ya(e)?e.url:ba(e)?(`name`in e?e.name:``)||``:typeof e==`string`?e:``}function jo(e){if(ya(e)){let t=e.headers.get(`content-type`)||``,n=Oo(e.url);return wo(t)||To(n)}return ba(e)?e.type||``:typeof e==`string`?To(e):``}function Mo(e){return ya(e)?e.headers[`content-length`]||-1:ba(e)?e.size:typeof e==`string`?e.length:e instanceof ArrayBuffer||ArrayBuffer.isView(e)?e.byteLength:-1}async function No(e){if(ya(e))return e;let t={},n=Mo(e);n>=0&&(t[`content-length`]=String(n));let r=Ao(e),i=jo(e);i&&(t[`content-type`]=i);let a=await Io(e);a&&(t[`x-first-bytes`]=a),typeof e==`string`&&(e=new TextEncoder().encode(e));let o=new Response(e,{headers:t});return Object.defineProperty(o,"url",{value:r}),o}async function Po(e){if(!e.ok)throw await Fo(e)}async function Fo(e){let t=ko(e.url),n=`Failed to fetch resource (${e.status}) ${e.statusText}: ${t}`;n=n.length>100?`${n.slice(0,100)}...`:n;let r={reason:e.statusText,url:e.url,response:e};try{let t=e.headers.get(`Content-Type`);r.reason=!e.bodyUsed&&t?.includes(`application/json`)?await e.json():await e.text()}catch{}return new bo(n,r)}async function Io(e){if(typeof e==`string`)return`data:,${e.slice(0,5)}`;if(e instanceof Blob){let t=e.slice(0,5);return await new Promise(e=>{let n=new FileReader;n.onload=t=>e(t?.target?.result),n.readAsDataURL(t)})}return e instanceof ArrayBuffer?`data:base64,${Lo(e.slice(0,5))}`:null}function Lo(e){let t=``,n=new Uint8Array(e);for(let e=0;e<n.byteLength;e++)t+=String.fromCharCode(n[e]);return btoa(t)}function Ro(e){return!zo(e)&&!Bo(e)}function zo(e){return e.startsWith(`http:`)||e.startsWith(`https:`)}function Bo(e){return e.startsWith(`data:`)}async function Vo(e,t){if(typeof e==`string`){let n=uo(e);return Ro(n)&&globalThis.loaders?.fetchNode?globalThis.loaders?.fetchNode(n,t):await fetch(n,t)}return await No(e)}var Ho=new g({id:`loaders.gl`}),Uo=class{log(){return()=>{}}info(){return()=>{}}warn(){return()=>{}}error(){return()=>{}}},Wo={core:{baseUrl:void 0,fetch:null,mimeType:void 0,fallbackMimeType:void 0,ignoreRegisteredLoaders:void 0,nothrow:!1,log:new class{console;constructor(){this.console=console}log(...e){return this.console.log.bind(this.console,...e)}info(...e){return this.console.info.bind(this.console,...e)}warn(...e){return this.console.warn.bind(this.console,...e)}error(...e){return this.console.error.bind(this.console,...e)}},useLocalLibraries:!1,CDN:`https://unpkg.com/@loaders.gl`,worker:!0,maxConcurrency:3,maxMobileConcurrency:1,reuseWorkers:aa,_nodeWorkers:!1,_workerType:``,limit:0,_limitMB:0,batchSize:`auto`,batchDebounceMs:0,metadata:!1,transforms:[]}},Go={baseUri:`core.baseUrl`,fetch:`core.fetch`,mimeType:`core.mimeType`,fallbackMimeType:`core.fallbackMimeType`,ignoreRegisteredLoaders:`core.ignoreRegisteredLoaders`,nothrow:`core.nothrow`,log:`core.log`,useLocalLibraries:`core.useLocalLibraries`,CDN:`core.CDN`,worker:`core.worker`,maxConcurrency:`core.maxConcurrency`,maxMobileConcurrency:`core.maxMobileConcurrency`,reuseWorkers:`core.reuseWorkers`,_nodeWorkers:`core.nodeWorkers`,_workerType:`core._workerType`,_worker:`core._workerType`,limit:`core.limit`,_limitMB:`core._limitMB`,batchSize:`core.batchSize`,batchDebounceMs:`core.batchDebounceMs`,metadata:`core.metadata`,transforms:`core.transforms`,throws:`nothrow`,dataType:`(no longer used)`,uri:`core.baseUrl`,method:`core.fetch.method`,headers:`core.fetch.headers`,body:`core.fetch.body`,mode:`core.fetch.mode`,credentials:`core.fetch.credentials`,cache:`core.fetch.cache`,redirect:`core.fetch.redirect`,referrer:`core.fetch.referrer`,referrerPolicy:`core.fetch.referrerPolicy`,integrity:`core.fetch.integrity`,keepalive:`core.fetch.keepalive`,signal:`core.fetch.signal`},Ko=[`baseUrl`,`fetch`,`mimeType`,`fallbackMimeType`,`ignoreRegisteredLoaders`,`nothrow`,`log`,`useLocalLibraries`,`CDN`,`worker`,`maxConcurrency`,`maxMobileConcurrency`,`reuseWorkers`,`_nodeWorkers`,`_workerType`,`limit`,`_limitMB`,`batchSize`,`batchDebounceMs`,`metadata`,`transforms`];function qo(){globalThis.loaders=globalThis.loaders||{};let{loaders:e}=globalThis;return e._state||={},e._state}function Jo(){let e=qo();return e.globalOptions=e.globalOptions||{...Wo,core:{...Wo.core}},Xo(e.globalOptions)}function Yo(e,t,n,r){return n||=[],n=Array.isArray(n)?n:[n],Zo(e,n),Xo(es(t,e,r))}function Xo(e){let t=rs(e);is(t);for(let e of Ko)t.core&&t.core[e]!==void 0&&delete t[e];return t.core&&t.core._workerType!==void 0&&delete t._worker,t}function Zo(e,t){Qo(e,null,Wo,Go,t);for(let n of t){let r=e&&e[n.id]||{},i=n.options&&n.options[n.id]||{},a=n.deprecatedOptions&&n.deprecatedOptions[n.id]||{};Qo(r,n.id,i,a,t)}}function Qo(e,t,n,r,i){let a=t||`Top level`,o=t?`${t}.`:``;for(let s in e){let c=!t&&pa(e[s]),l=s===`baseUri`&&!t,u=s===`workerUrl`&&t;if(!(s in n)&&!l&&!u){if(s in r)Ho.level>0&&Ho.warn(`${a} loader option \'${o}${s}\' no longer supported, use \'${r[s]}\'`)();else if(!c&&Ho.level>0){let e=$o(s,i);Ho.warn(`${a} loader option \'${o}${s}\' not recognized. ${e}`)()}}}}function $o(e,t){let n=e.toLowerCase(),r=``;for(let i of t)for(let t in i.options){if(e===t)return`Did you mean \'${i.id}.${t}\'?`;let a=t.toLowerCase();(n.startsWith(a)||a.startsWith(n))&&(r||=`Did you mean \'${i.id}.${t}\'?`)}return r}function es(e,t,n){let r=e.options||{},i={...r};return r.core&&(i.core={...r.core}),is(i),i.core?.log===null&&(i.core={...i.core,log:new Uo}),ts(i,Xo(Jo())),ts(i,Xo(t)),ns(i,n),as(i),i}function ts(e,t){for(let n in t)if(n in t){let r=t[n];e[n]=ma(r)&&ma(e[n])?{...e[n],...t[n]}:t[n]}}function ns(e,t){t&&e.core?.baseUrl===void 0&&(e.core||={},e.core.baseUrl=yo(Oo(t)))}function rs(e){let t={...e};return e.core&&(t.core={...e.core}),t}function is(e){e.baseUri!==void 0&&(e.core||={},e.core.baseUrl===void 0&&(e.core.baseUrl=e.baseUri));for(let t of Ko)if(e[t]!==void 0){let n=e.core=e.core||{};n[t]===void 0&&(n[t]=e[t])}let t=e._worker;t!==void 0&&(e.core||={},e.core._workerType===void 0&&(e.core._workerType=t))}function as(e){let t=e.core;if(t)for(let n of Ko)t[n]!==void 0&&(e[n]=t[n])}function os(e){return e?(Array.isArray(e)&&(e=e[0]),Array.isArray(e?.extensions)):!1}function ss(e){ra(e,`null loader`),ra(os(e),`invalid loader`);let t;return Array.isArray(e)&&(t=e[1],e=e[0],e={...e,options:{...e.options,...t}}),(e?.parseTextSync||e?.parseText)&&(e.text=!0),e.text||(e.binary=!0),e}var cs=()=>{let e=qo();return e.loaderRegistry=e.loaderRegistry||[],e.loaderRegistry};function ls(e){let t=cs();e=Array.isArray(e)?e:[e];for(let n of e){let e=ss(n);t.find(t=>e===t)||t.unshift(e)}}function us(){return cs()}var ds=/\.([^.]+)$/;async function fs(e,t=[],n,r){if(!gs(e))return null;let i=Xo(n||{});if(i.core||={},e instanceof Response&&ps(e)){let n=ms(await e.clone().text(),t,{...i,core:{...i.core,nothrow:!0}},r);if(n)return n}let a=ms(e,t,{...i,core:{...i.core,nothrow:!0}},r);if(a)return a;if(ba(e)&&(e=await e.slice(0,10).arrayBuffer(),a=ms(e,t,i,r)),!a&&e instanceof Response&&ps(e)&&(a=ms(await e.clone().text(),t,i,r)),!a&&!i.core.nothrow)throw Error(_s(e));return a}function ps(e){let t=jo(e);return!!(t&&(t.startsWith(`text/`)||t===`application/json`||t.endsWith(`+json`)))}function ms(e,t=[],n,r){if(!gs(e))return null;let i=Xo(n||{});if(i.core||={},t&&!Array.isArray(t))return ss(t);let a=[];t&&(a=a.concat(t)),i.core.ignoreRegisteredLoaders||a.push(...us()),vs(a);let o=hs(e,a,i,r);if(!o&&!i.core.nothrow)throw Error(_s(e));return o}function hs(e,t,n,r){let i=Ao(e),a=jo(e),o=Oo(i)||r?.url,s=null,c=``;return n?.core?.mimeType&&(s=xs(t,n?.core?.mimeType),c=`match forced by supplied MIME type ${n?.core?.mimeType}`),s||=ys(t,o),c||=s?`matched url ${o}`:``,s||=xs(t,a),c||=s?`matched MIME type ${a}`:``,s||=Ss(t,e),c||=s?`matched initial data ${Es(e)}`:``,n?.core?.fallbackMimeType&&(s||=xs(t,n?.core?.fallbackMimeType),c||=s?`matched fallback MIME type ${a}`:``),c&&ua.log(1,`selectLoader selected ${s?.name}: ${c}.`),s}function gs(e){return!(e instanceof Response&&e.status===204)}function _s(e){let t=Ao(e),n=jo(e),r=`No valid loader found (`;r+=t?`${vo(t)}, `:`no url provided, `,r+=`MIME type: ${n?`"${n}"`:`not provided`}, `;let i=e?Es(e):``;return r+=i?` first bytes: "${i}"`:`first bytes: not available`,r+=`)`,r}function vs(e){for(let t of e)ss(t)}function ys(e,t){let n=t&&ds.exec(t),r=n&&n[1];return r?bs(e,r):null}function bs(e,t){t=t.toLowerCase();for(let n of e)for(let e of n.extensions)if(e.toLowerCase()===t)return n;return null}function xs(e,t){for(let n of e)if(n.mimeTypes?.some(e=>Co(t,e))||Co(t,`application/x.${n.id}`))return n;return null}function Ss(e,t){if(!t)return null;for(let n of e)if(typeof t==`string`){if(Cs(t,n))return n}else if(ArrayBuffer.isView(t)){if(ws(t.buffer,t.byteOffset,n))return n}else if(t instanceof ArrayBuffer&&ws(t,0,n))return n;return null}function Cs(e,t){return t.testText?t.testText(e):(Array.isArray(t.tests)?t.tests:[t.tests]).some(t=>e.startsWith(t))}function ws(e,t,n){return(Array.isArray(n.tests)?n.tests:[n.tests]).some(r=>Ts(e,t,n,r))}function Ts(e,t,n,r){if(ga(r))return $a(r,e,r.byteLength);switch(typeof r){case`function`:return r(ho(e));case`string`:return r===Ds(e,t,r.length);default:return!1}}function Es(e,t=5){return typeof e==`string`?e.slice(0,t):ArrayBuffer.isView(e)?Ds(e.buffer,e.byteOffset,t):e instanceof ArrayBuffer?Ds(e,0,t):``}function Ds(e,t,n){if(e.byteLength<t+n)return``;let r=new DataView(e),i=``;for(let e=0;e<n;e++)i+=String.fromCharCode(r.getUint8(t+e));return i}var Os=262144;function*ks(e,t){let n=t?.chunkSize||Os,r=0,i=new TextEncoder;for(;r<e.length;){let t=Math.min(e.length-r,n),a=e.slice(r,r+t);r+=t,yield ho(i.encode(a))}}var As=262144;function*js(e,t={}){let{chunkSize:n=As}=t,r=0;for(;r<e.byteLength;){let t=Math.min(e.byteLength-r,n),i=new ArrayBuffer(t),a=new Uint8Array(e,r,t);new Uint8Array(i).set(a),r+=t,yield i}}var Ms=1048576;async function*Ns(e,t){let n=t?.chunkSize||Ms,r=0;for(;r<e.size;){let t=r+n,i=await e.slice(r,t).arrayBuffer();r=t,yield i}}function Ps(e,t){return aa?Fs(e,t):Is(e,t)}async function*Fs(e,t){let n=e.getReader(),r;try{for(;;){let e=r||n.read();t?._streamReadAhead&&(r=n.read());let{done:i,value:a}=await e;if(i)return;yield mo(a)}}catch{n.releaseLock()}}async function*Is(e,t){for await(let t of e)yield mo(t)}function Ls(e,t){if(typeof e==`string`)return ks(e,t);if(e instanceof ArrayBuffer)return js(e,t);if(ba(e))return Ns(e,t);if(Ca(e))return Ps(e,t);if(ya(e)){let n=e.body;if(!n)throw Error(`Readable stream not available on Response`);return Ps(n,t)}throw Error(`makeIterator`)}var Rs=`Cannot convert supplied data type`;function zs(e,t,n){if(t.text&&typeof e==`string`)return e;if(po(e)&&(e=e.buffer),ga(e)){let n=_o(e);return t.text&&!t.binary?new TextDecoder(`utf8`).decode(n):mo(n)}throw Error(Rs)}async function Bs(e,t,n){if(typeof e==`string`||ga(e))return zs(e,t,n);if(ba(e)&&(e=await No(e)),ya(e))return await Po(e),t.binary?await e.arrayBuffer():await e.text();if(Ca(e)&&(e=Ls(e,n)),_a(e)||va(e))return no(e);throw Error(Rs)}function Vs(e,t){let n=Jo(),r=e||n,i=r.fetch??r.core?.fetch;return typeof i==`function`?i:pa(i)?e=>Vo(e,i):t?.fetch?t?.fetch:Vo}function Hs(e,t,n){if(n)return n;let r={fetch:Vs(t,e),...e};if(r.url){let e=Oo(r.url);r.baseUrl=e,r.queryString=Do(r.url),r.filename=vo(e),r.baseUrl=yo(e)}return Array.isArray(r.loaders)||(r.loaders=null),r}function Us(e,t){if(e&&!Array.isArray(e))return e;let n;if(e&&(n=Array.isArray(e)?e:[e]),t&&t.loaders){let e=Array.isArray(t.loaders)?t.loaders:[t.loaders];n=n?[...n,...e]:e}return n&&n.length?n:void 0}async function Ws(e,t,n,r){t&&!Array.isArray(t)&&!os(t)&&(r=void 0,n=t,t=void 0),e=await e,n||={};let i=Ao(e),a=Us(t,r),o=await fs(e,a,n);if(!o)return null;let s=Yo(n,o,a,i);return r=Hs({url:i,_parse:Ws,loaders:a},s,r||null),await Gs(o,e,s,r)}async function Gs(e,t,n,r){if(Ya(e),n=wa(e.options,n),ya(t)){let{ok:e,redirected:n,status:i,statusText:a,type:o,url:s}=t;r.response={headers:Object.fromEntries(t.headers.entries()),ok:e,redirected:n,status:i,statusText:a,type:o,url:s}}t=await Bs(t,e,n);let i=e;if(i.parseTextSync&&typeof t==`string`)return i.parseTextSync(t,n,r);if(Xa(e,n))return await Za(e,t,n,r,Ws);if(i.parseText&&typeof t==`string`)return await i.parseText(t,n,r);if(i.parse)return await i.parse(t,n,r);throw ka(!i.parseSync),Error(`${e.id} loader - no parser found and worker is disabled`)}async function Ks(e,t,n,r){let i,a;!Array.isArray(t)&&!os(t)?(i=[],a=t,r=void 0):(i=t,a=n);let o=Vs(a),s=e;return typeof e==`string`&&(s=await o(e)),ba(e)&&(s=await o(e)),typeof e==`string`&&(Xo(a||{}).core?.baseUrl||(a={...a,core:{...a?.core,baseUrl:e}})),await Ws(s,i,a)}var qs=`4.5.4`,Js=globalThis.loaders?.parseImageNode,Ys=typeof Image<`u`,Xs=typeof ImageBitmap<`u`,Zs=aa?!0:!!Js;function Qs(e){switch(e){case`auto`:return Xs||Ys||Zs;case`imagebitmap`:return Xs;case`image`:return Ys;case`data`:return Zs;default:throw Error(`@loaders.gl/images: image ${e} not supported in this environment`)}}function $s(){if(Xs)return`imagebitmap`;if(Ys)return`image`;if(Zs)return`data`;throw Error(`Install '@loaders.gl/polyfills' to parse images under Node.js`)}function ec(e){let t=nc(e);if(!t)throw Error(`Not an image`);return t}function tc(e){switch(ec(e)){case`data`:return e;case`image`:case`imagebitmap`:let t=document.createElement(`canvas`),n=t.getContext(`2d`);if(!n)throw Error(`getImageData`);return t.width=e.width,t.height=e.height,n.drawImage(e,0,0),n.getImageData(0,0,e.width,e.height);default:throw Error(`getImageData`)}}function nc(e){return typeof ImageBitmap<`u`&&e instanceof ImageBitmap?`imagebitmap`:typeof Image<`u`&&e instanceof Image?`image`:e&&typeof e==`object`&&e.data&&e.width&&e.height?`data`:null}var rc=/^data:image\/svg\+xml/,ic=/\.svg((\?|#).*)?$/;function ac(e){return e&&(rc.test(e)||ic.test(e))}function oc(e,t){if(ac(t)){let t=new TextDecoder().decode(e);try{typeof unescape==`function`&&typeof encodeURIComponent==`function`&&(t=unescape(encodeURIComponent(t)))}catch(e){throw Error(e.message)}return`data:image/svg+xml;base64,${btoa(t)}`}return sc(e,t)}function sc(e,t){if(ac(t))throw Error(`SVG cannot be parsed directly to imagebitmap`);return new Blob([new Uint8Array(e)])}async function cc(e,t,n){let r=oc(e,n),i=self.URL||self.webkitURL,a=typeof r!=`string`&&i.createObjectURL(r);try{return await lc(a||r,t)}finally{a&&i.revokeObjectURL(a)}}async function lc(e,t){let n=new Image;return n.src=e,t.image&&t.image.decode&&n.decode?(await n.decode(),n):await new Promise((e,t)=>{try{n.onload=()=>e(n),n.onerror=e=>{let n=e instanceof Error?e.message:`error`;t(Error(n))}}catch(e){t(e)}})}var uc=!0;async function dc(e,t,n){let r;r=ac(n)?await cc(e,t,n):sc(e,n);let i=t&&t.imagebitmap;return await fc(r,i)}async function fc(e,t=null){if((pc(t)||!uc)&&(t=null),t)try{return await createImageBitmap(e,t)}catch(e){console.warn(e),uc=!1}return await createImageBitmap(e)}function pc(e){if(!e)return!0;for(let t in e)if(Object.prototype.hasOwnProperty.call(e,t))return!1;return!0}function mc(e){return!vc(e,`ftyp`,4)||!(e[8]&96)?null:hc(e)}function hc(e){switch(gc(e,8,12).replace(`\0`,` `).trim()){case`avif`:case`avis`:return{extension:`avif`,mimeType:`image/avif`};default:return null}}function gc(e,t,n){return String.fromCharCode(...e.slice(t,n))}function _c(e){return[...e].map(e=>e.charCodeAt(0))}function vc(e,t,n=0){let r=_c(t);for(let t=0;t<r.length;++t)if(r[t]!==e[t+n])return!1;return!0}var yc=!1,bc=!0;function xc(e){let t=Oc(e);return Cc(t)||Ec(t)||wc(t)||Tc(t)||Sc(t)}function Sc(e){let t=mc(new Uint8Array(e instanceof DataView?e.buffer:e));return t?{mimeType:t.mimeType,width:0,height:0}:null}function Cc(e){let t=Oc(e);return t.byteLength>=24&&t.getUint32(0,yc)===2303741511?{mimeType:`image/png`,width:t.getUint32(16,yc),height:t.getUint32(20,yc)}:null}function wc(e){let t=Oc(e);return t.byteLength>=10&&t.getUint32(0,yc)===1195984440?{mimeType:`image/gif`,width:t.getUint16(6,bc),height:t.getUint16(8,bc)}:null}function Tc(e){let t=Oc(e);return t.byteLength>=14&&t.getUint16(0,yc)===16973&&t.getUint32(2,bc)===t.byteLength?{mimeType:`image/bmp`,width:t.getUint32(18,bc),height:t.getUint32(22,bc)}:null}function Ec(e){let t=Oc(e);if(!(t.byteLength>=3&&t.getUint16(0,yc)===65496&&t.getUint8(2)===255))return null;let{tableMarkers:n,sofMarkers:r}=Dc(),i=2;for(;i+9<t.byteLength;){let e=t.getUint16(i,yc);if(r.has(e))return{mimeType:`image/jpeg`,height:t.getUint16(i+5,yc),width:t.getUint16(i+7,yc)};if(!n.has(e))return null;i+=2,i+=t.getUint16(i,yc)}return null}function Dc(){let e=new Set([65499,65476,65484,65501,65534]);for(let t=65504;t<65520;++t)e.add(t);return{tableMarkers:e,sofMarkers:new Set([65472,65473,65474,65475,65477,65478,65479,65481,65482,65483,65485,65486,65487,65502])}}function Oc(e){if(e instanceof DataView)return e;if(ArrayBuffer.isView(e))return new DataView(e.buffer);if(e instanceof ArrayBuffer)return new DataView(e);throw Error(`toDataView`)}async function kc(e,t){let{mimeType:n}=xc(e)||{},r=globalThis.loaders?.parseImageNode;return ra(r),await r(e,n)}async function Ac(e,t,n){t||={};let r=(t.image||{}).type||`auto`,{url:i}=n||{},a=jc(r),o;switch(a){case`imagebitmap`:o=await dc(e,t,i);break;case`image`:o=await cc(e,t,i);break;case`data`:o=await kc(e,t);break;default:ra(!1)}return r===`data`&&(o=tc(o)),o}function jc(e){switch(e){case`auto`:case`data`:return $s();default:return Qs(e),e}}var Mc={dataType:null,batchType:null,id:`image`,module:`images`,name:`Images`,version:qs,mimeTypes:[`image/png`,`image/jpeg`,`image/gif`,`image/webp`,`image/avif`,`image/bmp`,`image/vnd.microsoft.icon`,`image/svg+xml`],extensions:[`png`,`jpg`,`jpeg`,`gif`,`webp`,`bmp`,`ico`,`svg`,`avif`],parse:Ac,tests:[e=>!!xc(new DataView(e))],options:{image:{type:`auto`,decode:!0}}},K=new g({id:`deck`}),Nc={};function Pc(e){Nc=e}function Fc(e,t,n,r){K.level>0&&Nc[e]&&Nc[e].call(null,t,n,r)}function Ic(e){let t=e[0],n=e[e.length-1];return t===`{`&&n===`}`||t===`[`&&n===`]`}var Lc={dataType:null,batchType:null,id:`JSON`,name:`JSON`,module:``,version:``,options:{},extensions:[`json`,`geojson`],mimeTypes:[`application/json`,`application/geo+json`],testText:Ic,parseTextSync:JSON.parse};function Rc(){let e=`9.4.0`,t=globalThis.deck&&globalThis.deck.VERSION;if(t&&t!==e)throw Error(`deck.gl - multiple versions detected: ${t} vs ${e}`);return t||(K.log(1,`deck.gl ${e}`)(),globalThis.deck={...globalThis.deck,VERSION:e,version:e,log:K,_registerLoggers:Pc},ls([Lc,[Mc,{imagebitmap:{premultiplyAlpha:`none`}}]])),e}var zc=Rc(),Bc={id:null,powerPreference:`high-performance`,failIfMajorPerformanceCaveat:!1,featureLevel:void 0,optionalFeatures:[],xrCompatible:!1,createCanvasContext:void 0,webgl:{},onError:(e,t)=>{},onResize:(e,t)=>{let[n,r]=e.getDevicePixelSize();i.log(1,`${e} resized => ${n}x${r}px`)()},onPositionChange:(e,t)=>{let[n,r]=e.getPosition();i.log(1,`${e} repositioned => ${n},${r}`)()},onVisibilityChange:e=>i.log(1,`${e} Visibility changed ${e.isVisible}`)(),onDevicePixelRatioChange:(e,t)=>i.log(1,`${e} DPR changed ${t.oldRatio} => ${e.devicePixelRatio}`)(),debug:Hc(),debugGPUTime:!1,debugShaders:i.get(`debug-shaders`)||void 0,debugFramebuffers:!!i.get(`debug-framebuffers`),debugFactories:!!i.get(`debug-factories`),debugWebGL:!!i.get(`debug-webgl`),debugSpectorJS:void 0,debugSpectorJSUrl:void 0,_reuseDevices:!1,_cacheShaders:!0,_destroyShaders:!1,_cachePipelines:!0,_sharePipelines:!0,_destroyPipelines:!1,_initializeFeatures:!0,_disabledFeatures:{"compilation-status-async-webgl":!0},_handle:void 0};function Vc(e,t){return e==null?t!==void 0&&t!==`production`:!!e}function Hc(){return Vc(i.get(`debug`),Uc())}function Uc(){let e=globalThis.process;if(e?.env)return e.env.NODE_ENV}var Wc=`GPU Time and Memory`,Gc=[`Adapter`,`GPU`,`GPU Type`,`GPU Backend`,`Frame Rate`,`CPU Time`,`GPU Time`,`GPU Memory`,`Buffer Memory`,`Texture Memory`,`External Buffer Memory`,`External Texture Memory`,`Swap Chain Texture`],Kc=new WeakMap,qc=new WeakMap,Jc=new class{stats=new Map;getStats(e){return this.get(e)}get(e){this.stats.has(e)||this.stats.set(e,new so({id:e}));let t=this.stats.get(e);return e===Wc&&Yc(t,Gc),t}};function Yc(e,t){let n=e.stats,r=!1;for(let i of t)n[i]||(e.get(i),r=!0);let i=Object.keys(n).length,a=Kc.get(e);if(!r&&a?.orderedStatNames===t&&a.statCount===i)return;let o={},s=qc.get(t);s||(s=new Set(t),qc.set(t,s));for(let e of t)n[e]&&(o[e]=n[e]);for(let[e,t]of Object.entries(n))s.has(e)||(o[e]=t);for(let e of Object.keys(n))delete n[e];Object.assign(n,o),Kc.set(e,{orderedStatNames:t,statCount:i})}var Xc=`set luma.log.level=1 (or higher) to trace rendering`,Zc="No matching device found. Ensure `@luma.gl/webgl` and/or `@luma.gl/webgpu` modules are imported.",Qc=new class e{static defaultProps={...Bc,type:`best-available`,adapters:void 0,waitForPageLoad:!0};stats=Jc;log=i;VERSION=`9.4.2`;spector;preregisteredAdapters=new Map;constructor(){if(globalThis.luma){if(globalThis.luma.VERSION!==this.VERSION)throw i.error(`Found luma.gl ${globalThis.luma.VERSION} while initialzing ${this.VERSION}`)(),i.error(`'yarn why @luma.gl/core' can help identify the source of the conflict`)(),Error(`luma.gl - multiple versions detected: see console log`);i.error(`This version of luma.gl has already been initialized`)()}i.log(1,`${this.VERSION} - ${Xc}`)(),globalThis.luma=this}async createDevice(t={}){let n={...e.defaultProps,...t},r=this.selectAdapter(n.type,n.adapters);if(!r)throw Error(Zc);return n.waitForPageLoad&&await r.pageLoaded,await r.create(n)}async attachDevice(e,t){let n=this._getTypeFromHandle(e,t.adapters),r=n&&this.selectAdapter(n,t.adapters);if(!r)throw Error(Zc);return await r?.attach?.(e,t)}registerAdapters(e){for(let t of e)this.preregisteredAdapters.set(t.type,t)}getSupportedAdapters(e=[]){let t=this._getAdapterMap(e);return Array.from(t).map(([,e])=>e).filter(e=>e.isSupported?.()).map(e=>e.type)}getBestAvailableAdapterType(e=[]){let t=[`webgpu`,`webgl`,`null`],n=this._getAdapterMap(e);for(let e of t)if(n.get(e)?.isSupported?.())return e;return null}selectAdapter(e,t=[]){let n=e;e===`best-available`&&(n=this.getBestAvailableAdapterType(t));let r=this._getAdapterMap(t);return n&&r.get(n)||null}enforceWebGL2(e=!0,t=[]){let n=this._getAdapterMap(t).get(`webgl`);n||i.warn(`enforceWebGL2: webgl adapter not found`)(),n?.enforceWebGL2?.(e)}setDefaultDeviceProps(t){Object.assign(e.defaultProps,t)}_getAdapterMap(e=[]){let t=new Map(this.preregisteredAdapters);for(let n of e)t.set(n.type,n);return t}_getTypeFromHandle(e,t=[]){return e instanceof WebGL2RenderingContext?`webgl`:typeof GPUDevice<`u`&&e instanceof GPUDevice||e?.queue?`webgpu`:e===null?`null`:(e instanceof WebGLRenderingContext?i.warn(`WebGL1 is not supported`,e)():i.warn(`Unknown handle type`,e)(),null)}},$c=class{get pageLoaded(){return rl()}},el=t()&&typeof document<`u`,tl=()=>el&&document.readyState===`complete`,nl=null;function rl(){return nl||=tl()||typeof window>`u`?Promise.resolve():new Promise(e=>window.addEventListener(`load`,()=>e())),nl}function il(e){return typeof ImageData<`u`&&e instanceof ImageData||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement||typeof HTMLVideoElement<`u`&&e instanceof HTMLVideoElement||typeof VideoFrame<`u`&&e instanceof VideoFrame||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof OffscreenCanvas<`u`&&e instanceof OffscreenCanvas}function al(e){if(typeof ImageData<`u`&&e instanceof ImageData||typeof ImageBitmap<`u`&&e instanceof ImageBitmap||typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement||typeof OffscreenCanvas<`u`&&e instanceof OffscreenCanvas)return{width:e.width,height:e.height};if(typeof HTMLImageElement<`u`&&e instanceof HTMLImageElement)return{width:e.naturalWidth,height:e.naturalHeight};if(typeof HTMLVideoElement<`u`&&e instanceof HTMLVideoElement)return{width:e.videoWidth,height:e.videoHeight};if(typeof VideoFrame<`u`&&e instanceof VideoFrame)return{width:e.displayWidth,height:e.displayHeight};throw Error(`Unknown image type`)}var ol=class{};function sl(e,t){return[cl(e),...t.map(cl).filter(e=>e!==void 0)].filter(e=>e!==void 0)}function cl(e){if(e!==void 0){if(e===null||typeof e==`string`||typeof e==`number`||typeof e==`boolean`)return e;if(e instanceof Error)return e.message;if(Array.isArray(e))return e.map(cl);if(typeof e==`object`){if(ll(e)){let t=String(e);if(t!==`[object Object]`)return t}return ul(e)?dl(e):e.constructor?.name||`Object`}return String(e)}}function ll(e){return`toString`in e&&typeof e.toString==`function`&&e.toString!==Object.prototype.toString}function ul(e){return`message`in e&&`type`in e}function dl(e){let t=typeof e.type==`string`?e.type:`message`,n=typeof e.message==`string`?e.message:``,r=typeof e.lineNum==`number`?e.lineNum:null,i=typeof e.linePos==`number`?e.linePos:null;return`${t}${r!==null&&i!==null?` @ ${r}:${i}`:r===null?``:` @ ${r}`}: ${n}`.trim()}var fl=class{features;disabledFeatures;constructor(e=[],t){this.features=new Set(e),this.disabledFeatures=t||{}}*[Symbol.iterator](){yield*this.features}has(e){return!this.disabledFeatures?.[e]&&this.features.has(e)}};function pl(){if(typeof HTMLCanvasElement>`u`)return!1;let e=HTMLCanvasElement.prototype;return`layoutSubtree`in e&&typeof e.requestPaint==`function`}var ml=class e{static defaultProps={...Bc};get[Symbol.toStringTag](){return`Device`}toString(){return`Device(${this.id})`}toJSON(){return this.toString()}id;props;userData={};statsManager=Jc;_factories={};timestamp=0;_reused=!1;_moduleData={};wgslLanguageFeatures=new Set;_textureCaps={};_debugGPUTimeQuery=null;constructor(t){this.props={...e.defaultProps,...t},this.id=this.props.id||_(this[Symbol.toStringTag].toLowerCase())}getVertexFormatInfo(e){return s.getVertexFormatInfo(e)}isVertexFormatSupported(e){return!0}getTextureFormatInfo(e){return de.getInfo(e)}getTextureFormatCapabilities(e){let t=this._textureCaps[e];if(!t){let n=this._getDeviceTextureFormatCapabilities(e);t=this._getDeviceSpecificTextureFormatCapabilities(n),this._textureCaps[e]=t}return t}getMipLevelCount(e,t,n=1){return 1+Math.floor(Math.log2(Math.max(e,t,n)))}isExternalImage(e){return il(e)}getExternalImageSize(e){return al(e)}isTextureFormatSupported(e){return this.getTextureFormatCapabilities(e).create}isTextureFormatFilterable(e){return this.getTextureFormatCapabilities(e).filter}isTextureFormatRenderable(e){return this.getTextureFormatCapabilities(e).render}isTextureFormatCompressed(e){return de.isCompressed(e)}getSupportedCompressedTextureFormats(){let e=[];for(let t of Object.keys(fe()))this.isTextureFormatCompressed(t)&&this.isTextureFormatSupported(t)&&e.push(t);return e}pushDebugGroup(e){this.commandEncoder.pushDebugGroup(e)}popDebugGroup(){this.commandEncoder?.popDebugGroup()}insertDebugMarker(e){this.commandEncoder?.insertDebugMarker(e)}loseDevice(){return!1}incrementTimestamp(){return this.timestamp++}reportError(e,t,...n){if(!this.props.onError(e,t)){let r=sl(t,n);return i.error(this.type===`webgl`?`%cWebGL`:`%cWebGPU`,`color: white; background: red; padding: 2px 6px; border-radius: 3px;`,e.message,...r)}return()=>{}}debug(){this.props.debug||i.once(0,`'Type luma.log.set({debug: true}) in console to enable debug breakpoints',
or create a device with the 'debug: true' prop.`)()}getDefaultCanvasContext(){if(!this.canvasContext)throw Error(`Device has no default CanvasContext. See props.createCanvasContext`);return this.canvasContext}createFence(){throw Error(`createFence() not implemented`)}beginRenderPass(e){return this.commandEncoder.beginRenderPass(e)}beginComputePass(e){return this.commandEncoder.beginComputePass(e)}writeBufferViaCommandEncoder(e,t,n,r=0){throw Error(`writeBufferViaCommandEncoder() not implemented`)}generateMipmapsWebGPU(e){throw Error(`not implemented`)}_createSharedRenderPipelineWebGL(e){throw Error(`_createSharedRenderPipelineWebGL() not implemented`)}_createBindGroupLayoutWebGPU(e,t){throw Error(`_createBindGroupLayoutWebGPU() not implemented`)}_createBindGroupWebGPU(e,t,n,r,i){throw Error(`_createBindGroupWebGPU() not implemented`)}_supportsDebugGPUTime(){return this.features.has(`timestamp-query`)&&!!(this.props.debug||this.props.debugGPUTime)}_enableDebugGPUTime(e=256){if(!this._supportsDebugGPUTime())return null;if(this._debugGPUTimeQuery)return this._debugGPUTimeQuery;try{this._debugGPUTimeQuery=this.createQuerySet({type:`timestamp`,count:e}),this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id,timeProfilingQuerySet:this._debugGPUTimeQuery})}catch{this._debugGPUTimeQuery=null}return this._debugGPUTimeQuery}_disableDebugGPUTime(){this._debugGPUTimeQuery&&=(this.commandEncoder.getTimeProfilingQuerySet()===this._debugGPUTimeQuery&&(this.commandEncoder=this.createCommandEncoder({id:this.commandEncoder.props.id})),this._debugGPUTimeQuery.destroy(),null)}_isDebugGPUTimeEnabled(){return this._debugGPUTimeQuery!==null}getCanvasContext(){return this.getDefaultCanvasContext()}readPixelsToArrayWebGL(e,t){throw Error(`not implemented`)}readPixelsToBufferWebGL(e,t){throw Error(`not implemented`)}setParametersWebGL(e){throw Error(`not implemented`)}getParametersWebGL(e){throw Error(`not implemented`)}withParametersWebGL(e,t){throw Error(`not implemented`)}clearWebGL(e){throw Error(`not implemented`)}resetWebGL(){throw Error(`not implemented`)}getModuleData(e){return this._moduleData[e]||={},this._moduleData[e]}static _getCanvasContextProps(e){return e.createCanvasContext===!0?{}:e.createCanvasContext}_getDeviceTextureFormatCapabilities(e){let t=de.getCapabilities(e),n=e=>(typeof e==`string`?this.features.has(e):e)??!0,r=n(t.create);return{format:e,create:r,render:r&&n(t.render),filter:r&&n(t.filter),blend:r&&n(t.blend),store:r&&n(t.store)}}_normalizeBufferProps(e){(e instanceof ArrayBuffer||ArrayBuffer.isView(e))&&(e={data:e});let t={...e};if((e.usage||0)&n.INDEX&&(e.indexType||(e.data instanceof Uint32Array?t.indexType=`uint32`:e.data instanceof Uint16Array?t.indexType=`uint16`:e.data instanceof Uint8Array&&(t.data=new Uint16Array(e.data),t.indexType=`uint16`)),!t.indexType))throw Error(`indices buffer content must be of type uint16 or uint32`);return t}},hl=class{props;_resizeObserver;_intersectionObserver;_observeDevicePixelRatioTimeout=null;_observeDevicePixelRatioMediaQuery=null;_handleDevicePixelRatioChange=()=>this._refreshDevicePixelRatio();_trackPositionInterval=null;_started=!1;get started(){return this._started}constructor(e){this.props=e}start(){if(this._started||!this.props.canvas)return;this._started=!0,this._intersectionObserver||=new IntersectionObserver(e=>this.props.onIntersection(e)),this._resizeObserver||=new ResizeObserver(e=>this.props.onResize(e)),this._intersectionObserver.observe(this.props.canvas);let e=this.props.resizeObserverBox;try{this._resizeObserver.observe(this.props.canvas,{box:e})}catch{this._resizeObserver.observe(this.props.canvas,{box:`content-box`})}this._observeDevicePixelRatioTimeout=setTimeout(()=>this._refreshDevicePixelRatio(),0),this.props.trackPosition&&this._trackPosition()}stop(){this._started&&(this._started=!1,this._observeDevicePixelRatioTimeout&&=(clearTimeout(this._observeDevicePixelRatioTimeout),null),this._observeDevicePixelRatioMediaQuery&&=(this._observeDevicePixelRatioMediaQuery.removeEventListener(`change`,this._handleDevicePixelRatioChange),null),this._trackPositionInterval&&=(clearInterval(this._trackPositionInterval),null),this._resizeObserver?.disconnect(),this._intersectionObserver?.disconnect())}_refreshDevicePixelRatio(){this._started&&(this.props.onDevicePixelRatioChange(),this._observeDevicePixelRatioMediaQuery?.removeEventListener(`change`,this._handleDevicePixelRatioChange),this._observeDevicePixelRatioMediaQuery=matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`),this._observeDevicePixelRatioMediaQuery.addEventListener(`change`,this._handleDevicePixelRatioChange,{once:!0}))}_trackPosition(e=100){this._trackPositionInterval||=setInterval(()=>{this._started?this.props.onPositionChange():this._trackPositionInterval&&=(clearInterval(this._trackPositionInterval),null)},e)}};function gl(){let e,t;return{promise:new Promise((n,r)=>{e=n,t=r}),resolve:e,reject:t}}var _l=class e{static isHTMLCanvas(e){return typeof HTMLCanvasElement<`u`&&e instanceof HTMLCanvasElement}static isOffscreenCanvas(e){return typeof OffscreenCanvas<`u`&&e instanceof OffscreenCanvas}static defaultProps={id:void 0,canvas:null,width:800,height:600,useDevicePixels:!0,pixelSizeSource:`exact`,autoResize:!0,container:null,visible:!0,alphaMode:`opaque`,colorSpace:`srgb`,colorFormat:void 0,toneMapping:`standard`,trackPosition:!1};id;props;canvas;htmlCanvas;offscreenCanvas;type;initialized;isInitialized=!1;isVisible=!0;cssWidth;cssHeight;devicePixelRatio;devicePixelWidth;devicePixelHeight;drawingBufferWidth;drawingBufferHeight;_initializedResolvers=gl();_canvasObserver;_position=[0,0];destroyed=!1;_needsDrawingBufferResize=!0;_configuredDrawingBufferSize=[0,0];toString(){return`${this[Symbol.toStringTag]}(${this.id})`}constructor(n){this.props={...e.defaultProps,...n},n=this.props,this.initialized=this._initializedResolvers.promise,this.canvas=t()?n.canvas?typeof n.canvas==`string`?yl(n.canvas):n.canvas:bl(n):{width:n.width||1,height:n.height||1},e.isHTMLCanvas(this.canvas)?(this.id=n.id||this.canvas.id,this.type=`html-canvas`,this.htmlCanvas=this.canvas):e.isOffscreenCanvas(this.canvas)?(this.id=n.id||`offscreen-canvas`,this.type=`offscreen-canvas`,this.offscreenCanvas=this.canvas):(this.id=n.id||`node-canvas-context`,this.type=`node`),this.cssWidth=this.htmlCanvas?.clientWidth||this.canvas.width,this.cssHeight=this.htmlCanvas?.clientHeight||this.canvas.height,this.devicePixelWidth=this.canvas.width,this.devicePixelHeight=this.canvas.height,this.drawingBufferWidth=this.canvas.width,this.drawingBufferHeight=this.canvas.height,this._configuredDrawingBufferSize=[this.canvas.width,this.canvas.height],this.devicePixelRatio=globalThis.devicePixelRatio||1,this._position=[0,0],this._canvasObserver=new hl({canvas:this.htmlCanvas,trackPosition:this.props.trackPosition,resizeObserverBox:this.props.pixelSizeSource===`css-dpr`?`content-box`:`device-pixel-content-box`,onResize:e=>this._handleResize(e),onIntersection:e=>this._handleIntersection(e),onDevicePixelRatioChange:()=>this._observeDevicePixelRatio(),onPositionChange:()=>this.updatePosition()})}destroy(){this.destroyed||(this.destroyed=!0,this._stopObservers(),this.device=null)}setProps(e){return`useDevicePixels`in e&&(this.props.useDevicePixels=e.useDevicePixels||!1,this._updateDrawingBufferSize()),this}getCurrentFramebuffer(e){return this._resizeDrawingBufferIfNeeded(),this._getCurrentFramebuffer(e)}getCSSSize(){return[this.cssWidth,this.cssHeight]}getPosition(){return this._position}getDevicePixelSize(){return[this.devicePixelWidth,this.devicePixelHeight]}getDrawingBufferSize(){return[this.drawingBufferWidth,this.drawingBufferHeight]}getMaxDrawingBufferSize(){let e=this.device.limits.maxTextureDimension2D;return[e,e]}setDrawingBufferSize(e,t){e=Math.floor(e),t=Math.floor(t),(this.drawingBufferWidth!==e||this.drawingBufferHeight!==t)&&(this.drawingBufferWidth=e,this.drawingBufferHeight=t,this._needsDrawingBufferResize=!0)}getDevicePixelRatio(){return typeof window<`u`&&window.devicePixelRatio||1}cssToDevicePixels(e,t=!0){let n=this.cssToDeviceRatio(),[r,i]=this.getDrawingBufferSize();return xl(e,n,r,i,t)}getPixelSize(){return this.getDevicePixelSize()}getAspect(){let[e,t]=this.getDrawingBufferSize();return e>0&&t>0?e/t:1}cssToDeviceRatio(){try{let[e]=this.getDrawingBufferSize(),[t]=this.getCSSSize();return t?e/t:1}catch{return 1}}resize(e){this.setDrawingBufferSize(e.width,e.height)}_setAutoCreatedCanvasId(e){this.htmlCanvas?.id===`lumagl-auto-created-canvas`&&(this.htmlCanvas.id=e)}_startObservers(){this.destroyed||this._canvasObserver.start()}_stopObservers(){this._canvasObserver.stop()}_handleIntersection(e){if(this.destroyed)return;let t=e.find(e=>e.target===this.canvas);if(!t)return;let n=t.isIntersecting;this.isVisible!==n&&(this.isVisible=n,this.device.props.onVisibilityChange(this))}_handleResize(e){if(this.destroyed)return;let t=e.find(e=>e.target===this.canvas);if(!t)return;let n=o(t.contentBoxSize?.[0]);this.cssWidth=n.inlineSize,this.cssHeight=n.blockSize;let r=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromResizeEntry(t)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:r})}_updateDrawingBufferSize(){if(this.props.autoResize){if(typeof this.props.useDevicePixels==`number`){let e=this.props.useDevicePixels;this.setDrawingBufferSize(this.cssWidth*e,this.cssHeight*e)}else this.props.useDevicePixels?this.setDrawingBufferSize(this.devicePixelWidth,this.devicePixelHeight):this.setDrawingBufferSize(this.cssWidth,this.cssHeight)}this._initializedResolvers.resolve(),this.isInitialized=!0,this.updatePosition()}_getDevicePixelSizeFromResizeEntry(e){let t=o(e.contentBoxSize?.[0]);return this.props.pixelSizeSource===`css-dpr`?this._getDevicePixelSizeFromCSSSize(t.inlineSize,t.blockSize):{devicePixelWidth:e.devicePixelContentBoxSize?.[0]?.inlineSize||t.inlineSize*devicePixelRatio,devicePixelHeight:e.devicePixelContentBoxSize?.[0]?.blockSize||t.blockSize*devicePixelRatio}}_getDevicePixelSizeFromCSSSize(e,t){let n=this.getDevicePixelRatio();return{devicePixelWidth:Math.floor(e*n),devicePixelHeight:Math.floor(t*n)}}_setDevicePixelSize({devicePixelWidth:e,devicePixelHeight:t}){let[n,r]=this.getMaxDrawingBufferSize();this.devicePixelWidth=Math.max(1,Math.min(e,n)),this.devicePixelHeight=Math.max(1,Math.min(t,r))}_resizeDrawingBufferIfNeeded(){if(this._needsDrawingBufferResize){this._needsDrawingBufferResize=!1,(this.drawingBufferWidth!==this.canvas.width||this.drawingBufferHeight!==this.canvas.height)&&(this.canvas.width=this.drawingBufferWidth,this.canvas.height=this.drawingBufferHeight);let[e,t]=this._configuredDrawingBufferSize;(this.drawingBufferWidth!==e||this.drawingBufferHeight!==t)&&(this._configureDevice(),this._configuredDrawingBufferSize=[this.drawingBufferWidth,this.drawingBufferHeight])}}_observeDevicePixelRatio(){if(this.destroyed||!this._canvasObserver.started)return;let e=this.devicePixelRatio;if(this.devicePixelRatio=window.devicePixelRatio,this.props.pixelSizeSource===`css-dpr`){let e=this.getDevicePixelSize();this._setDevicePixelSize(this._getDevicePixelSizeFromCSSSize(this.cssWidth,this.cssHeight)),this._updateDrawingBufferSize(),this.device.props.onResize(this,{oldPixelSize:e})}this.updatePosition(),this.device.props.onDevicePixelRatioChange?.(this,{oldRatio:e})}updatePosition(){if(this.destroyed)return;let e=this.htmlCanvas?.getBoundingClientRect();if(e){let t=[e.left,e.top];if(this._position??=t,t[0]!==this._position[0]||t[1]!==this._position[1]){let e=this._position;this._position=t,this.device.props.onPositionChange?.(this,{oldPosition:e})}}}};function vl(e){if(typeof e==`string`){let t=document.getElementById(e);if(!t)throw Error(`${e} is not an HTML element`);return t}return e||document.body}function yl(e){let t=document.getElementById(e);if(!_l.isHTMLCanvas(t))throw Error(`Object is not a canvas element`);return t}function bl(e){let{width:t,height:n}=e,r=document.createElement(`canvas`);r.id=_(`lumagl-auto-created-canvas`),r.width=t||1,r.height=n||1,r.style.width=Number.isFinite(t)?`${t}px`:`100%`,r.style.height=Number.isFinite(n)?`${n}px`:`100%`,e?.visible||(r.style.visibility=`hidden`);let i=vl(e?.container||null);return i.insertBefore(r,i.firstChild),r}function xl(e,t,n,r,i){let a=e,o=Sl(a[0],t,n),s=Cl(a[1],t,r,i),c=Sl(a[0]+1,t,n),l=c===n-1?c:c-1;c=Cl(a[1]+1,t,r,i);let u;return i?(c=c===0?c:c+1,u=s,s=c):u=c===r-1?c:c-1,{x:o,y:s,width:Math.max(l-o+1,1),height:Math.max(u-s+1,1)}}function Sl(e,t,n){return Math.min(Math.round(e*t),n-1)}function Cl(e,t,n,r){return r?Math.max(0,n-1-Math.round(e*t)):Math.min(Math.round(e*t),n-1)}var wl=class extends _l{static defaultProps=_l.defaultProps},Tl=class extends _l{},El=class e extends m{width;height;updateTimestamp;get[Symbol.toStringTag](){return`ExternalTexture`}constructor(t,n){super(t,n,e.defaultProps);let r=this.props.source?t.getExternalImageSize(this.props.source):null;this.width=this.props.width||r?.width||0,this.height=this.props.height||r?.height||0,this.updateTimestamp=t.incrementTimestamp()}static defaultProps={...m.defaultProps,source:void 0,width:0,height:0,colorSpace:`srgb`,sampler:{}}},Dl=class e extends m{get[Symbol.toStringTag](){return`Framebuffer`}width;height;constructor(t,n={}){super(t,n,e.defaultProps),this.width=this.props.width,this.height=this.props.height}clone(e){let t=this.colorAttachments.map(t=>t.texture.clone(e)),n=this.depthStencilAttachment&&this.depthStencilAttachment.texture.clone(e);return this.device.createFramebuffer({...this.props,...e,colorAttachments:t,depthStencilAttachment:n})}resize(e){let t=!e;if(e){let[n,r]=Array.isArray(e)?e:[e.width,e.height];t=t||r!==this.height||n!==this.width,this.width=n,this.height=r}t&&(i.log(2,`Resizing framebuffer ${this.id} to ${this.width}x${this.height}`)(),this.resizeAttachments(this.width,this.height))}autoCreateAttachmentTextures(){if(this.props.colorAttachments.length===0&&!this.props.depthStencilAttachment)throw Error(`Framebuffer has noattachments`);this.colorAttachments=this.props.colorAttachments.map((e,t)=>{if(typeof e==`string`){let n=this.createColorTexture(e,t);return this.attachResource(n),n.view}return e instanceof me?e.view:e});let e=this.props.depthStencilAttachment;if(e){if(typeof e==`string`){let t=this.createDepthStencilTexture(e);this.attachResource(t),this.depthStencilAttachment=t.view}else this.depthStencilAttachment=e instanceof me?e.view:e}}createColorTexture(e,t){return this.device.createTexture({id:`${this.id}-color-attachment-${t}`,usage:me.RENDER_ATTACHMENT,format:e,width:this.width,height:this.height,sampler:{magFilter:`linear`,minFilter:`linear`}})}createDepthStencilTexture(e){return this.device.createTexture({id:`${this.id}-depth-stencil-attachment`,usage:me.RENDER_ATTACHMENT|me.SAMPLE,format:e,width:this.width,height:this.height})}resizeAttachments(e,t){if(this.colorAttachments.forEach((n,r)=>{let i=n.texture.clone({width:e,height:t});this.destroyAttachedResource(n),this.colorAttachments[r]=i.view,this.attachResource(i.view)}),this.depthStencilAttachment){let n=this.depthStencilAttachment.texture.clone({width:e,height:t});this.destroyAttachedResource(this.depthStencilAttachment),this.depthStencilAttachment=n.view,this.attachResource(n)}this.updateAttachments()}static defaultProps={...m.defaultProps,width:1,height:1,colorAttachments:[],depthStencilAttachment:null}},Ol=class extends m{get[Symbol.toStringTag](){return`SharedRenderPipeline`}constructor(e,t){super(e,t,{...m.defaultProps,handle:void 0,vs:void 0,fs:void 0,varyings:void 0,bufferMode:void 0})}},kl=class e extends m{static defaultClearColor=[0,0,0,1];static defaultClearDepth=1;static defaultClearStencil=0;get[Symbol.toStringTag](){return`RenderPass`}constructor(t,n,r=e.defaultProps){n=e.normalizeProps(t,n),super(t,n,r)}static normalizeProps(e,t){return t}static defaultProps={...m.defaultProps,framebuffer:null,resolveTargets:void 0,parameters:void 0,clearColor:e.defaultClearColor,clearColors:void 0,clearDepth:e.defaultClearDepth,clearStencil:e.defaultClearStencil,depthReadOnly:!1,stencilReadOnly:!1,discard:!1,occlusionQuerySet:void 0,timestampQuerySet:void 0,beginTimestampIndex:void 0,endTimestampIndex:void 0}},Al=class e extends m{get[Symbol.toStringTag](){return`CommandEncoder`}_timeProfilingQuerySet=null;_timeProfilingSlotCount=0;_gpuTimeMs;constructor(t,n){super(t,n,e.defaultProps),this._timeProfilingQuerySet=n.timeProfilingQuerySet??null,this._timeProfilingSlotCount=0,this._gpuTimeMs=void 0}async resolveTimeProfilingQuerySet(){if(this._gpuTimeMs=void 0,!this._timeProfilingQuerySet)return;let e=Math.floor(this._timeProfilingSlotCount/2);if(e<=0)return;let t=e*2,n=await this._timeProfilingQuerySet.readResults({firstQuery:0,queryCount:t}),r=0n;for(let e=0;e<t;e+=2)r+=n[e+1]-n[e];this._gpuTimeMs=Number(r)/1e6}getTimeProfilingSlotCount(){return this._timeProfilingSlotCount}getTimeProfilingQuerySet(){return this._timeProfilingQuerySet}_applyTimeProfilingToPassProps(e){let t=e||{};if(!this._supportsTimestampQueries()||!this._timeProfilingQuerySet||t.timestampQuerySet!==void 0||t.beginTimestampIndex!==void 0||t.endTimestampIndex!==void 0)return t;let n=this._timeProfilingSlotCount;return n+1>=this._timeProfilingQuerySet.props.count?t:(this._timeProfilingSlotCount+=2,{...t,timestampQuerySet:this._timeProfilingQuerySet,beginTimestampIndex:n,endTimestampIndex:n+1})}_supportsTimestampQueries(){return this.device.features.has(`timestamp-query`)}static defaultProps={...m.defaultProps,measureExecutionTime:void 0,timeProfilingQuerySet:void 0}},jl=class e extends m{get[Symbol.toStringTag](){return`CommandBuffer`}constructor(t,n){super(t,n,e.defaultProps)}static defaultProps={...m.defaultProps}},Ml=class e extends m{static defaultProps={...m.defaultProps,shaderLayout:void 0,bufferLayout:[]};get[Symbol.toStringTag](){return`VertexArray`}maxVertexAttributes;indexBuffer=null;attributes;constructor(t,n){super(t,n,e.defaultProps),this.maxVertexAttributes=t.limits.maxVertexAttributes,this.attributes=Array(this.maxVertexAttributes).fill(null)}getBufferSlot(e){return null}getDrawValidationError(){return null}setConstantWebGL(e,t){this.device.reportError(Error(`constant attributes not supported`),this)()}},Nl=class e extends m{static defaultProps={...m.defaultProps,layout:void 0,buffers:{}};get[Symbol.toStringTag](){return`TransformFeedback`}constructor(t,n){super(t,n,e.defaultProps)}},Pl=class e extends m{get[Symbol.toStringTag](){return`QuerySet`}constructor(t,n){super(t,n,e.defaultProps)}static defaultProps={...m.defaultProps,type:void 0,count:void 0}},Fl=class e extends m{static defaultProps={...m.defaultProps};get[Symbol.toStringTag](){return`Fence`}constructor(t,n={}){super(t,n,e.defaultProps)}},Il=`#version 300 es
out vec4 transform_output;
void main() {
  transform_output = vec4(0);
}`;function Ll(e){let{input:t,inputChannels:n,output:r}=e||{};if(!t)return Il;if(!n)throw Error(`inputChannels`);return`\
#version 300 es
in ${Rl(n)} ${t};
out vec4 ${r};
void main() {
  ${r} = ${zl(t,n)};
}`}function Rl(e){switch(e){case 1:return`float`;case 2:return`vec2`;case 3:return`vec3`;case 4:return`vec4`;default:throw Error(`invalid channels: ${e}`)}}function zl(e,t){switch(t){case 1:return`vec4(${e}, 0.0, 0.0, 1.0)`;case 2:return`vec4(${e}, 0.0, 1.0)`;case 3:return`vec4(${e}, 1.0)`;case 4:return e;default:throw Error(`invalid channels: ${t}`)}}globalThis.mathgl=globalThis.mathgl||{config:{EPSILON:1e-12,debug:!1,precision:4,printTypes:!1,printDegrees:!1,printRowMajor:!0,_cartographicRadians:!1}};var Bl=globalThis.mathgl.config;function Vl(e,{precision:t=Bl.precision}={}){return e=Kl(e),`${parseFloat(e.toPrecision(t))}`}function Hl(e){return Array.isArray(e)||ArrayBuffer.isView(e)&&!(e instanceof DataView)}function Ul(e,t,n){return Jl(e,e=>Math.max(t,Math.min(n,e)))}function Wl(e,t,n){return Hl(e)?e.map((e,r)=>Wl(e,t[r],n)):n*t+(1-n)*e}function Gl(e,t,n){let r=Bl.EPSILON;n&&(Bl.EPSILON=n);try{if(e===t)return!0;if(Hl(e)&&Hl(t)){if(e.length!==t.length)return!1;for(let n=0;n<e.length;++n)if(!Gl(e[n],t[n]))return!1;return!0}return e&&e.equals?e.equals(t):t&&t.equals?t.equals(e):typeof e==`number`&&typeof t==`number`&&Math.abs(e-t)<=Bl.EPSILON*Math.max(1,Math.abs(e),Math.abs(t))}finally{Bl.EPSILON=r}}function Kl(e){return Math.round(e/Bl.EPSILON)*Bl.EPSILON}function ql(e){return e.clone?e.clone():Array(e.length)}function Jl(e,t,n){if(Hl(e)){let r=e;n||=ql(r);for(let i=0;i<n.length&&i<r.length;++i){let r=typeof e==`number`?e:e[i];n[i]=t(r,i,n)}return n}return t(e)}var Yl=class extends Array{clone(){return new this.constructor().copy(this)}fromArray(e,t=0){for(let n=0;n<this.ELEMENTS;++n)this[n]=e[n+t];return this.check()}toArray(e=[],t=0){for(let n=0;n<this.ELEMENTS;++n)e[t+n]=this[n];return e}toObject(e){return e}from(e){return Array.isArray(e)?this.copy(e):this.fromObject(e)}to(e){return e===this?this:Hl(e)?this.toArray(e):this.toObject(e)}toTarget(e){return e?this.to(e):this}toFloat32Array(){return new Float32Array(this)}toString(){return this.formatString(Bl)}formatString(e){let t=``;for(let n=0;n<this.ELEMENTS;++n)t+=(n>0?`, `:``)+Vl(this[n],e);return`${e.printTypes?this.constructor.name:``}[${t}]`}equals(e){if(!e||this.length!==e.length)return!1;for(let t=0;t<this.ELEMENTS;++t)if(!Gl(this[t],e[t]))return!1;return!0}exactEquals(e){if(!e||this.length!==e.length)return!1;for(let t=0;t<this.ELEMENTS;++t)if(this[t]!==e[t])return!1;return!0}negate(){for(let e=0;e<this.ELEMENTS;++e)this[e]=-this[e];return this.check()}lerp(e,t,n){if(n===void 0)return this.lerp(this,e,t);for(let r=0;r<this.ELEMENTS;++r){let i=e[r],a=typeof t==`number`?t:t[r];this[r]=i+n*(a-i)}return this.check()}min(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=Math.min(e[t],this[t]);return this.check()}max(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=Math.max(e[t],this[t]);return this.check()}clamp(e,t){for(let n=0;n<this.ELEMENTS;++n)this[n]=Math.min(Math.max(this[n],e[n]),t[n]);return this.check()}add(...e){for(let t of e)for(let e=0;e<this.ELEMENTS;++e)this[e]+=t[e];return this.check()}subtract(...e){for(let t of e)for(let e=0;e<this.ELEMENTS;++e)this[e]-=t[e];return this.check()}scale(e){if(typeof e==`number`)for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;else for(let t=0;t<this.ELEMENTS&&t<e.length;++t)this[t]*=e[t];return this.check()}multiplyByScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;return this.check()}check(){if(Bl.debug&&!this.validate())throw Error(`math.gl: ${this.constructor.name} some fields set to invalid numbers'`);return this}validate(){let e=this.length===this.ELEMENTS;for(let t=0;t<this.ELEMENTS;++t)e&&=Number.isFinite(this[t]);return e}sub(e){return this.subtract(e)}setScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]=e;return this.check()}addScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]+=e;return this.check()}subScalar(e){return this.addScalar(-e)}multiplyScalar(e){for(let t=0;t<this.ELEMENTS;++t)this[t]*=e;return this.check()}divideScalar(e){return this.multiplyByScalar(1/e)}clampScalar(e,t){for(let n=0;n<this.ELEMENTS;++n)this[n]=Math.min(Math.max(this[n],e),t);return this.check()}get elements(){return this}};function Xl(e,t){if(e.length!==t)return!1;for(let t=0;t<e.length;++t)if(!Number.isFinite(e[t]))return!1;return!0}function Zl(e){if(!Number.isFinite(e))throw Error(`Invalid number ${JSON.stringify(e)}`);return e}function Ql(e,t,n=``){if(Bl.debug&&!Xl(e,t))throw Error(`math.gl: ${n} some fields set to invalid numbers'`);return e}function $l(e,t){if(!e)throw Error(`math.gl assertion ${t}`)}var eu=class extends Yl{get x(){return this[0]}set x(e){this[0]=Zl(e)}get y(){return this[1]}set y(e){this[1]=Zl(e)}len(){return Math.sqrt(this.lengthSquared())}magnitude(){return this.len()}lengthSquared(){let e=0;for(let t=0;t<this.ELEMENTS;++t)e+=this[t]*this[t];return e}magnitudeSquared(){return this.lengthSquared()}distance(e){return Math.sqrt(this.distanceSquared(e))}distanceSquared(e){let t=0;for(let n=0;n<this.ELEMENTS;++n){let r=this[n]-e[n];t+=r*r}return Zl(t)}dot(e){let t=0;for(let n=0;n<this.ELEMENTS;++n)t+=this[n]*e[n];return Zl(t)}normalize(){let e=this.magnitude();if(e!==0)for(let t=0;t<this.ELEMENTS;++t)this[t]/=e;return this.check()}multiply(...e){for(let t of e)for(let e=0;e<this.ELEMENTS;++e)this[e]*=t[e];return this.check()}divide(...e){for(let t of e)for(let e=0;e<this.ELEMENTS;++e)this[e]/=t[e];return this.check()}lengthSq(){return this.lengthSquared()}distanceTo(e){return this.distance(e)}distanceToSquared(e){return this.distanceSquared(e)}getComponent(e){return $l(e>=0&&e<this.ELEMENTS,`index is out of range`),Zl(this[e])}setComponent(e,t){return $l(e>=0&&e<this.ELEMENTS,`index is out of range`),this[e]=t,this.check()}addVectors(e,t){return this.copy(e).add(t)}subVectors(e,t){return this.copy(e).subtract(t)}multiplyVectors(e,t){return this.copy(e).multiply(t)}addScaledVector(e,t){return this.add(new this.constructor(e).multiplyScalar(t))}},tu=typeof Float32Array<`u`?Float32Array:Array;function nu(){let e=new tu(2);return tu!=Float32Array&&(e[0]=0,e[1]=0),e}function ru(e,t,n){return e[0]=t[0]+n[0],e[1]=t[1]+n[1],e}function iu(e,t,n){return e[0]=t[0]-n[0],e[1]=t[1]-n[1],e}function au(e,t){return e[0]=-t[0],e[1]=-t[1],e}function ou(e,t,n,r){let i=t[0],a=t[1];return e[0]=i+r*(n[0]-i),e[1]=a+r*(n[1]-a),e}function su(e,t,n){let r=t[0],i=t[1];return e[0]=n[0]*r+n[4]*i+n[12],e[1]=n[1]*r+n[5]*i+n[13],e}var cu=iu;(function(){let e=nu();return function(t,n,r,i,a,o){let s,c;for(n||=2,r||=0,c=i?Math.min(i*n+r,t.length):t.length,s=r;s<c;s+=n)e[0]=t[s],e[1]=t[s+1],a(e,e,o),t[s]=e[0],t[s+1]=e[1];return t}})();function lu(e,t,n){let r=t[0],i=t[1],a=n[3]*r+n[7]*i||1;return e[0]=(n[0]*r+n[4]*i)/a,e[1]=(n[1]*r+n[5]*i)/a,e}function uu(e,t,n){let r=t[0],i=t[1],a=t[2],o=n[3]*r+n[7]*i+n[11]*a||1;return e[0]=(n[0]*r+n[4]*i+n[8]*a)/o,e[1]=(n[1]*r+n[5]*i+n[9]*a)/o,e[2]=(n[2]*r+n[6]*i+n[10]*a)/o,e}function du(e,t,n){let r=t[0],i=t[1];return e[0]=n[0]*r+n[2]*i,e[1]=n[1]*r+n[3]*i,e[2]=t[2],e}function fu(){let e=new tu(3);return tu!=Float32Array&&(e[0]=0,e[1]=0,e[2]=0),e}function pu(e,t,n){return e[0]=t[0]-n[0],e[1]=t[1]-n[1],e[2]=t[2]-n[2],e}function mu(e,t){return e[0]=-t[0],e[1]=-t[1],e[2]=-t[2],e}function hu(e,t){return e[0]*t[0]+e[1]*t[1]+e[2]*t[2]}function gu(e,t,n){let r=t[0],i=t[1],a=t[2],o=n[0],s=n[1],c=n[2];return e[0]=i*c-a*s,e[1]=a*o-r*c,e[2]=r*s-i*o,e}function _u(e,t,n){let r=t[0],i=t[1],a=t[2],o=n[3]*r+n[7]*i+n[11]*a+n[15];return o||=1,e[0]=(n[0]*r+n[4]*i+n[8]*a+n[12])/o,e[1]=(n[1]*r+n[5]*i+n[9]*a+n[13])/o,e[2]=(n[2]*r+n[6]*i+n[10]*a+n[14])/o,e}function vu(e,t,n){let r=t[0],i=t[1],a=t[2];return e[0]=r*n[0]+i*n[3]+a*n[6],e[1]=r*n[1]+i*n[4]+a*n[7],e[2]=r*n[2]+i*n[5]+a*n[8],e}function yu(e,t,n){let r=n[0],i=n[1],a=n[2],o=n[3],s=t[0],c=t[1],l=t[2],u=i*l-a*c,d=a*s-r*l,f=r*c-i*s,p=i*f-a*d,m=a*u-r*f,h=r*d-i*u,g=o*2;return u*=g,d*=g,f*=g,p*=2,m*=2,h*=2,e[0]=s+u+p,e[1]=c+d+m,e[2]=l+f+h,e}function bu(e,t,n,r){let i=[],a=[];return i[0]=t[0]-n[0],i[1]=t[1]-n[1],i[2]=t[2]-n[2],a[0]=i[0],a[1]=i[1]*Math.cos(r)-i[2]*Math.sin(r),a[2]=i[1]*Math.sin(r)+i[2]*Math.cos(r),e[0]=a[0]+n[0],e[1]=a[1]+n[1],e[2]=a[2]+n[2],e}function xu(e,t,n,r){let i=[],a=[];return i[0]=t[0]-n[0],i[1]=t[1]-n[1],i[2]=t[2]-n[2],a[0]=i[2]*Math.sin(r)+i[0]*Math.cos(r),a[1]=i[1],a[2]=i[2]*Math.cos(r)-i[0]*Math.sin(r),e[0]=a[0]+n[0],e[1]=a[1]+n[1],e[2]=a[2]+n[2],e}function Su(e,t,n,r){let i=[],a=[];return i[0]=t[0]-n[0],i[1]=t[1]-n[1],i[2]=t[2]-n[2],a[0]=i[0]*Math.cos(r)-i[1]*Math.sin(r),a[1]=i[0]*Math.sin(r)+i[1]*Math.cos(r),a[2]=i[2],e[0]=a[0]+n[0],e[1]=a[1]+n[1],e[2]=a[2]+n[2],e}function Cu(e,t){let n=e[0],r=e[1],i=e[2],a=t[0],o=t[1],s=t[2],c=Math.sqrt((n*n+r*r+i*i)*(a*a+o*o+s*s)),l=c&&hu(e,t)/c;return Math.acos(Math.min(Math.max(l,-1),1))}var wu=pu;(function(){let e=fu();return function(t,n,r,i,a,o){let s,c;for(n||=3,r||=0,c=i?Math.min(i*n+r,t.length):t.length,s=r;s<c;s+=n)e[0]=t[s],e[1]=t[s+1],e[2]=t[s+2],a(e,e,o),t[s]=e[0],t[s+1]=e[1],t[s+2]=e[2];return t}})();var Tu=[0,0,0],Eu,Du=class e extends eu{static get ZERO(){return Eu||(Eu=new e(0,0,0),Object.freeze(Eu)),Eu}constructor(e=0,t=0,n=0){super(-0,-0,-0),arguments.length===1&&Hl(e)?this.copy(e):(Bl.debug&&(Zl(e),Zl(t),Zl(n)),this[0]=e,this[1]=t,this[2]=n)}set(e,t,n){return this[0]=e,this[1]=t,this[2]=n,this.check()}copy(e){return this[0]=e[0],this[1]=e[1],this[2]=e[2],this.check()}fromObject(e){return Bl.debug&&(Zl(e.x),Zl(e.y),Zl(e.z)),this[0]=e.x,this[1]=e.y,this[2]=e.z,this.check()}toObject(e){return e.x=this[0],e.y=this[1],e.z=this[2],e}get ELEMENTS(){return 3}get z(){return this[2]}set z(e){this[2]=Zl(e)}angle(e){return Cu(this,e)}cross(e){return gu(this,this,e),this.check()}rotateX({radians:e,origin:t=Tu}){return bu(this,this,t,e),this.check()}rotateY({radians:e,origin:t=Tu}){return xu(this,this,t,e),this.check()}rotateZ({radians:e,origin:t=Tu}){return Su(this,this,t,e),this.check()}transform(e){return this.transformAsPoint(e)}transformAsPoint(e){return _u(this,this,e),this.check()}transformAsVector(e){return uu(this,this,e),this.check()}transformByMatrix3(e){return vu(this,this,e),this.check()}transformByMatrix2(e){return du(this,this,e),this.check()}transformByQuaternion(e){return yu(this,this,e),this.check()}},Ou=class extends Yl{toString(){let e=`[`;if(Bl.printRowMajor){e+=`row-major:`;for(let t=0;t<this.RANK;++t)for(let n=0;n<this.RANK;++n)e+=` ${this[n*this.RANK+t]}`}else{e+=`column-major:`;for(let t=0;t<this.ELEMENTS;++t)e+=` ${this[t]}`}return e+=`]`,e}getElementIndex(e,t){return t*this.RANK+e}getElement(e,t){return this[t*this.RANK+e]}setElement(e,t,n){return this[t*this.RANK+e]=Zl(n),this}getColumn(e,t=Array(this.RANK).fill(-0)){let n=e*this.RANK;for(let e=0;e<this.RANK;++e)t[e]=this[n+e];return t}setColumn(e,t){let n=e*this.RANK;for(let e=0;e<this.RANK;++e)this[n+e]=t[e];return this}};function ku(e){return e[0]=1,e[1]=0,e[2]=0,e[3]=0,e[4]=0,e[5]=1,e[6]=0,e[7]=0,e[8]=0,e[9]=0,e[10]=1,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,e}function Au(e,t){if(e===t){let n=t[1],r=t[2],i=t[3],a=t[6],o=t[7],s=t[11];e[1]=t[4],e[2]=t[8],e[3]=t[12],e[4]=n,e[6]=t[9],e[7]=t[13],e[8]=r,e[9]=a,e[11]=t[14],e[12]=i,e[13]=o,e[14]=s}else e[0]=t[0],e[1]=t[4],e[2]=t[8],e[3]=t[12],e[4]=t[1],e[5]=t[5],e[6]=t[9],e[7]=t[13],e[8]=t[2],e[9]=t[6],e[10]=t[10],e[11]=t[14],e[12]=t[3],e[13]=t[7],e[14]=t[11],e[15]=t[15];return e}function ju(e,t){let n=t[0],r=t[1],i=t[2],a=t[3],o=t[4],s=t[5],c=t[6],l=t[7],u=t[8],d=t[9],f=t[10],p=t[11],m=t[12],h=t[13],g=t[14],_=t[15],v=n*s-r*o,y=n*c-i*o,b=n*l-a*o,x=r*c-i*s,S=r*l-a*s,C=i*l-a*c,w=u*h-d*m,T=u*g-f*m,E=u*_-p*m,D=d*g-f*h,O=d*_-p*h,k=f*_-p*g,A=v*k-y*O+b*D+x*E-S*T+C*w;return A?(A=1/A,e[0]=(s*k-c*O+l*D)*A,e[1]=(i*O-r*k-a*D)*A,e[2]=(h*C-g*S+_*x)*A,e[3]=(f*S-d*C-p*x)*A,e[4]=(c*E-o*k-l*T)*A,e[5]=(n*k-i*E+a*T)*A,e[6]=(g*b-m*C-_*y)*A,e[7]=(u*C-f*b+p*y)*A,e[8]=(o*O-s*E+l*w)*A,e[9]=(r*E-n*O-a*w)*A,e[10]=(m*S-h*b+_*v)*A,e[11]=(d*b-u*S-p*v)*A,e[12]=(s*T-o*D-c*w)*A,e[13]=(n*D-r*T+i*w)*A,e[14]=(h*y-m*x-g*v)*A,e[15]=(u*x-d*y+f*v)*A,e):null}function Mu(e){let t=e[0],n=e[1],r=e[2],i=e[3],a=e[4],o=e[5],s=e[6],c=e[7],l=e[8],u=e[9],d=e[10],f=e[11],p=e[12],m=e[13],h=e[14],g=e[15],_=t*o-n*a,v=t*s-r*a,y=n*s-r*o,b=l*m-u*p,x=l*h-d*p,S=u*h-d*m,C=t*S-n*x+r*b,w=a*S-o*x+s*b,T=l*y-u*v+d*_,E=p*y-m*v+h*_;return c*C-i*w+g*T-f*E}function Nu(e,t,n){let r=t[0],i=t[1],a=t[2],o=t[3],s=t[4],c=t[5],l=t[6],u=t[7],d=t[8],f=t[9],p=t[10],m=t[11],h=t[12],g=t[13],_=t[14],v=t[15],y=n[0],b=n[1],x=n[2],S=n[3];return e[0]=y*r+b*s+x*d+S*h,e[1]=y*i+b*c+x*f+S*g,e[2]=y*a+b*l+x*p+S*_,e[3]=y*o+b*u+x*m+S*v,y=n[4],b=n[5],x=n[6],S=n[7],e[4]=y*r+b*s+x*d+S*h,e[5]=y*i+b*c+x*f+S*g,e[6]=y*a+b*l+x*p+S*_,e[7]=y*o+b*u+x*m+S*v,y=n[8],b=n[9],x=n[10],S=n[11],e[8]=y*r+b*s+x*d+S*h,e[9]=y*i+b*c+x*f+S*g,e[10]=y*a+b*l+x*p+S*_,e[11]=y*o+b*u+x*m+S*v,y=n[12],b=n[13],x=n[14],S=n[15],e[12]=y*r+b*s+x*d+S*h,e[13]=y*i+b*c+x*f+S*g,e[14]=y*a+b*l+x*p+S*_,e[15]=y*o+b*u+x*m+S*v,e}function Pu(e,t,n){let r=n[0],i=n[1],a=n[2],o,s,c,l,u,d,f,p,m,h,g,_;return t===e?(e[12]=t[0]*r+t[4]*i+t[8]*a+t[12],e[13]=t[1]*r+t[5]*i+t[9]*a+t[13],e[14]=t[2]*r+t[6]*i+t[10]*a+t[14],e[15]=t[3]*r+t[7]*i+t[11]*a+t[15]):(o=t[0],s=t[1],c=t[2],l=t[3],u=t[4],d=t[5],f=t[6],p=t[7],m=t[8],h=t[9],g=t[10],_=t[11],e[0]=o,e[1]=s,e[2]=c,e[3]=l,e[4]=u,e[5]=d,e[6]=f,e[7]=p,e[8]=m,e[9]=h,e[10]=g,e[11]=_,e[12]=o*r+u*i+m*a+t[12],e[13]=s*r+d*i+h*a+t[13],e[14]=c*r+f*i+g*a+t[14],e[15]=l*r+p*i+_*a+t[15]),e}function Fu(e,t,n){let r=n[0],i=n[1],a=n[2];return e[0]=t[0]*r,e[1]=t[1]*r,e[2]=t[2]*r,e[3]=t[3]*r,e[4]=t[4]*i,e[5]=t[5]*i,e[6]=t[6]*i,e[7]=t[7]*i,e[8]=t[8]*a,e[9]=t[9]*a,e[10]=t[10]*a,e[11]=t[11]*a,e[12]=t[12],e[13]=t[13],e[14]=t[14],e[15]=t[15],e}function Iu(e,t,n,r){let i=r[0],a=r[1],o=r[2],s=Math.sqrt(i*i+a*a+o*o),c,l,u,d,f,p,m,h,g,_,v,y,b,x,S,C,w,T,E,D,O,k,A,j;return s<1e-6?null:(s=1/s,i*=s,a*=s,o*=s,l=Math.sin(n),c=Math.cos(n),u=1-c,d=t[0],f=t[1],p=t[2],m=t[3],h=t[4],g=t[5],_=t[6],v=t[7],y=t[8],b=t[9],x=t[10],S=t[11],C=i*i*u+c,w=a*i*u+o*l,T=o*i*u-a*l,E=i*a*u-o*l,D=a*a*u+c,O=o*a*u+i*l,k=i*o*u+a*l,A=a*o*u-i*l,j=o*o*u+c,e[0]=d*C+h*w+y*T,e[1]=f*C+g*w+b*T,e[2]=p*C+_*w+x*T,e[3]=m*C+v*w+S*T,e[4]=d*E+h*D+y*O,e[5]=f*E+g*D+b*O,e[6]=p*E+_*D+x*O,e[7]=m*E+v*D+S*O,e[8]=d*k+h*A+y*j,e[9]=f*k+g*A+b*j,e[10]=p*k+_*A+x*j,e[11]=m*k+v*A+S*j,t!==e&&(e[12]=t[12],e[13]=t[13],e[14]=t[14],e[15]=t[15]),e)}function Lu(e,t,n){let r=Math.sin(n),i=Math.cos(n),a=t[4],o=t[5],s=t[6],c=t[7],l=t[8],u=t[9],d=t[10],f=t[11];return t!==e&&(e[0]=t[0],e[1]=t[1],e[2]=t[2],e[3]=t[3],e[12]=t[12],e[13]=t[13],e[14]=t[14],e[15]=t[15]),e[4]=a*i+l*r,e[5]=o*i+u*r,e[6]=s*i+d*r,e[7]=c*i+f*r,e[8]=l*i-a*r,e[9]=u*i-o*r,e[10]=d*i-s*r,e[11]=f*i-c*r,e}function Ru(e,t,n){let r=Math.sin(n),i=Math.cos(n),a=t[0],o=t[1],s=t[2],c=t[3],l=t[8],u=t[9],d=t[10],f=t[11];return t!==e&&(e[4]=t[4],e[5]=t[5],e[6]=t[6],e[7]=t[7],e[12]=t[12],e[13]=t[13],e[14]=t[14],e[15]=t[15]),e[0]=a*i-l*r,e[1]=o*i-u*r,e[2]=s*i-d*r,e[3]=c*i-f*r,e[8]=a*r+l*i,e[9]=o*r+u*i,e[10]=s*r+d*i,e[11]=c*r+f*i,e}function zu(e,t,n){let r=Math.sin(n),i=Math.cos(n),a=t[0],o=t[1],s=t[2],c=t[3],l=t[4],u=t[5],d=t[6],f=t[7];return t!==e&&(e[8]=t[8],e[9]=t[9],e[10]=t[10],e[11]=t[11],e[12]=t[12],e[13]=t[13],e[14]=t[14],e[15]=t[15]),e[0]=a*i+l*r,e[1]=o*i+u*r,e[2]=s*i+d*r,e[3]=c*i+f*r,e[4]=l*i-a*r,e[5]=u*i-o*r,e[6]=d*i-s*r,e[7]=f*i-c*r,e}function Bu(e,t){let n=t[0],r=t[1],i=t[2],a=t[3],o=n+n,s=r+r,c=i+i,l=n*o,u=r*o,d=r*s,f=i*o,p=i*s,m=i*c,h=a*o,g=a*s,_=a*c;return e[0]=1-d-m,e[1]=u+_,e[2]=f-g,e[3]=0,e[4]=u-_,e[5]=1-l-m,e[6]=p+h,e[7]=0,e[8]=f+g,e[9]=p-h,e[10]=1-l-d,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,e}function Vu(e,t,n,r,i,a,o){let s=1/(n-t),c=1/(i-r),l=1/(a-o);return e[0]=a*2*s,e[1]=0,e[2]=0,e[3]=0,e[4]=0,e[5]=a*2*c,e[6]=0,e[7]=0,e[8]=(n+t)*s,e[9]=(i+r)*c,e[10]=(o+a)*l,e[11]=-1,e[12]=0,e[13]=0,e[14]=o*a*2*l,e[15]=0,e}function Hu(e,t,n,r,i){let a=1/Math.tan(t/2);if(e[0]=a/n,e[1]=0,e[2]=0,e[3]=0,e[4]=0,e[5]=a,e[6]=0,e[7]=0,e[8]=0,e[9]=0,e[11]=-1,e[12]=0,e[13]=0,e[15]=0,i!=null&&i!==1/0){let t=1/(r-i);e[10]=(i+r)*t,e[14]=2*i*r*t}else e[10]=-1,e[14]=-2*r;return e}var Uu=Hu;function Wu(e,t,n,r,i,a,o){let s=1/(t-n),c=1/(r-i),l=1/(a-o);return e[0]=-2*s,e[1]=0,e[2]=0,e[3]=0,e[4]=0,e[5]=-2*c,e[6]=0,e[7]=0,e[8]=0,e[9]=0,e[10]=2*l,e[11]=0,e[12]=(t+n)*s,e[13]=(i+r)*c,e[14]=(o+a)*l,e[15]=1,e}var Gu=Wu;function Ku(e,t,n,r){let i,a,o,s,c,l,u,d,f,p,m=t[0],h=t[1],g=t[2],_=r[0],v=r[1],y=r[2],b=n[0],x=n[1],S=n[2];return Math.abs(m-b)<1e-6&&Math.abs(h-x)<1e-6&&Math.abs(g-S)<1e-6?ku(e):(d=m-b,f=h-x,p=g-S,i=1/Math.sqrt(d*d+f*f+p*p),d*=i,f*=i,p*=i,a=v*p-y*f,o=y*d-_*p,s=_*f-v*d,i=Math.sqrt(a*a+o*o+s*s),i?(i=1/i,a*=i,o*=i,s*=i):(a=0,o=0,s=0),c=f*s-p*o,l=p*a-d*s,u=d*o-f*a,i=Math.sqrt(c*c+l*l+u*u),i?(i=1/i,c*=i,l*=i,u*=i):(c=0,l=0,u=0),e[0]=a,e[1]=c,e[2]=d,e[3]=0,e[4]=o,e[5]=l,e[6]=f,e[7]=0,e[8]=s,e[9]=u,e[10]=p,e[11]=0,e[12]=-(a*m+o*h+s*g),e[13]=-(c*m+l*h+u*g),e[14]=-(d*m+f*h+p*g),e[15]=1,e)}function qu(){let e=new tu(4);return tu!=Float32Array&&(e[0]=0,e[1]=0,e[2]=0,e[3]=0),e}function Ju(e,t,n){return e[0]=t[0]*n,e[1]=t[1]*n,e[2]=t[2]*n,e[3]=t[3]*n,e}function Yu(e,t,n){let r=t[0],i=t[1],a=t[2],o=t[3];return e[0]=n[0]*r+n[4]*i+n[8]*a+n[12]*o,e[1]=n[1]*r+n[5]*i+n[9]*a+n[13]*o,e[2]=n[2]*r+n[6]*i+n[10]*a+n[14]*o,e[3]=n[3]*r+n[7]*i+n[11]*a+n[15]*o,e}(function(){let e=qu();return function(t,n,r,i,a,o){let s,c;for(n||=4,r||=0,c=i?Math.min(i*n+r,t.length):t.length,s=r;s<c;s+=n)e[0]=t[s],e[1]=t[s+1],e[2]=t[s+2],e[3]=t[s+3],a(e,e,o),t[s]=e[0],t[s+1]=e[1],t[s+2]=e[2],t[s+3]=e[3];return t}})();var Xu;(function(e){e[e.COL0ROW0=0]=`COL0ROW0`,e[e.COL0ROW1=1]=`COL0ROW1`,e[e.COL0ROW2=2]=`COL0ROW2`,e[e.COL0ROW3=3]=`COL0ROW3`,e[e.COL1ROW0=4]=`COL1ROW0`,e[e.COL1ROW1=5]=`COL1ROW1`,e[e.COL1ROW2=6]=`COL1ROW2`,e[e.COL1ROW3=7]=`COL1ROW3`,e[e.COL2ROW0=8]=`COL2ROW0`,e[e.COL2ROW1=9]=`COL2ROW1`,e[e.COL2ROW2=10]=`COL2ROW2`,e[e.COL2ROW3=11]=`COL2ROW3`,e[e.COL3ROW0=12]=`COL3ROW0`,e[e.COL3ROW1=13]=`COL3ROW1`,e[e.COL3ROW2=14]=`COL3ROW2`,e[e.COL3ROW3=15]=`COL3ROW3`})(Xu||={});var Zu=45*Math.PI/180,Qu=1,$u=.1,ed=500,td=Object.freeze([1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]),nd=class extends Ou{static get IDENTITY(){return od()}static get ZERO(){return ad()}get ELEMENTS(){return 16}get RANK(){return 4}get INDICES(){return Xu}constructor(e){super(-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0),arguments.length===1&&Array.isArray(e)?this.copy(e):this.identity()}copy(e){return this[0]=e[0],this[1]=e[1],this[2]=e[2],this[3]=e[3],this[4]=e[4],this[5]=e[5],this[6]=e[6],this[7]=e[7],this[8]=e[8],this[9]=e[9],this[10]=e[10],this[11]=e[11],this[12]=e[12],this[13]=e[13],this[14]=e[14],this[15]=e[15],this.check()}set(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){return this[0]=e,this[1]=t,this[2]=n,this[3]=r,this[4]=i,this[5]=a,this[6]=o,this[7]=s,this[8]=c,this[9]=l,this[10]=u,this[11]=d,this[12]=f,this[13]=p,this[14]=m,this[15]=h,this.check()}setRowMajor(e,t,n,r,i,a,o,s,c,l,u,d,f,p,m,h){return this[0]=e,this[1]=i,this[2]=c,this[3]=f,this[4]=t,this[5]=a,this[6]=l,this[7]=p,this[8]=n,this[9]=o,this[10]=u,this[11]=m,this[12]=r,this[13]=s,this[14]=d,this[15]=h,this.check()}toRowMajor(e){return e[0]=this[0],e[1]=this[4],e[2]=this[8],e[3]=this[12],e[4]=this[1],e[5]=this[5],e[6]=this[9],e[7]=this[13],e[8]=this[2],e[9]=this[6],e[10]=this[10],e[11]=this[14],e[12]=this[3],e[13]=this[7],e[14]=this[11],e[15]=this[15],e}identity(){return this.copy(td)}fromObject(e){return this.check()}fromQuaternion(e){return Bu(this,e),this.check()}frustum(e){let{left:t,right:n,bottom:r,top:i,near:a=$u,far:o=ed}=e;return o===1/0?cd(this,t,n,r,i,a):Vu(this,t,n,r,i,a,o),this.check()}lookAt(e){let{eye:t,center:n=[0,0,0],up:r=[0,1,0]}=e;return Ku(this,t,n,r),this.check()}ortho(e){let{left:t,right:n,bottom:r,top:i,near:a=$u,far:o=ed}=e;return Gu(this,t,n,r,i,a,o),this.check()}orthographic(e){let{fovy:t=Zu,aspect:n=Qu,focalDistance:r=1,near:i=$u,far:a=ed}=e;sd(t);let o=t/2,s=r*Math.tan(o),c=s*n;return this.ortho({left:-c,right:c,bottom:-s,top:s,near:i,far:a})}perspective(e){let{fovy:t=45*Math.PI/180,aspect:n=1,near:r=.1,far:i=500}=e;return sd(t),Uu(this,t,n,r,i),this.check()}determinant(){return Mu(this)}getScale(e=[-0,-0,-0]){return e[0]=Math.sqrt(this[0]*this[0]+this[1]*this[1]+this[2]*this[2]),e[1]=Math.sqrt(this[4]*this[4]+this[5]*this[5]+this[6]*this[6]),e[2]=Math.sqrt(this[8]*this[8]+this[9]*this[9]+this[10]*this[10]),e}getTranslation(e=[-0,-0,-0]){return e[0]=this[12],e[1]=this[13],e[2]=this[14],e}getRotation(e,t){e||=[-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0,-0],t||=[-0,-0,-0];let n=this.getScale(t),r=1/n[0],i=1/n[1],a=1/n[2];return e[0]=this[0]*r,e[1]=this[1]*i,e[2]=this[2]*a,e[3]=0,e[4]=this[4]*r,e[5]=this[5]*i,e[6]=this[6]*a,e[7]=0,e[8]=this[8]*r,e[9]=this[9]*i,e[10]=this[10]*a,e[11]=0,e[12]=0,e[13]=0,e[14]=0,e[15]=1,e}getRotationMatrix3(e,t){e||=[-0,-0,-0,-0,-0,-0,-0,-0,-0],t||=[-0,-0,-0];let n=this.getScale(t),r=1/n[0],i=1/n[1],a=1/n[2];return e[0]=this[0]*r,e[1]=this[1]*i,e[2]=this[2]*a,e[3]=this[4]*r,e[4]=this[5]*i,e[5]=this[6]*a,e[6]=this[8]*r,e[7]=this[9]*i,e[8]=this[10]*a,e}transpose(){return Au(this,this),this.check()}invert(){return ju(this,this),this.check()}multiplyLeft(e){return Nu(this,e,this),this.check()}multiplyRight(e){return Nu(this,this,e),this.check()}rotateX(e){return Lu(this,this,e),this.check()}rotateY(e){return Ru(this,this,e),this.check()}rotateZ(e){return zu(this,this,e),this.check()}rotateXYZ(e){return this.rotateX(e[0]).rotateY(e[1]).rotateZ(e[2])}rotateAxis(e,t){return Iu(this,this,e,t),this.check()}scale(e){return Fu(this,this,Array.isArray(e)?e:[e,e,e]),this.check()}translate(e){return Pu(this,this,e),this.check()}transform(e,t){return e.length===4?(t=Yu(t||[-0,-0,-0,-0],e,this),Ql(t,4),t):this.transformAsPoint(e,t)}transformAsPoint(e,t){let{length:n}=e,r;switch(n){case 2:r=su(t||[-0,-0],e,this);break;case 3:r=_u(t||[-0,-0,-0],e,this);break;default:throw Error(`Illegal vector`)}return Ql(r,e.length),r}transformAsVector(e,t){let n;switch(e.length){case 2:n=lu(t||[-0,-0],e,this);break;case 3:n=uu(t||[-0,-0,-0],e,this);break;default:throw Error(`Illegal vector`)}return Ql(n,e.length),n}transformPoint(e,t){return this.transformAsPoint(e,t)}transformVector(e,t){return this.transformAsPoint(e,t)}transformDirection(e,t){return this.transformAsVector(e,t)}makeRotationX(e){return this.identity().rotateX(e)}makeTranslation(e,t,n){return this.identity().translate([e,t,n])}},rd,id;function ad(){return rd||(rd=new nd([0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]),Object.freeze(rd)),rd}function od(){return id||(id=new nd,Object.freeze(id)),id}function sd(e){if(e>Math.PI*2)throw Error(`expected radians`)}function cd(e,t,n,r,i,a){let o=2*a/(n-t),s=2*a/(i-r),c=(n+t)/(n-t),l=(i+r)/(i-r),u=-2*a;return e[0]=o,e[1]=0,e[2]=0,e[3]=0,e[4]=0,e[5]=s,e[6]=0,e[7]=0,e[8]=c,e[9]=l,e[10]=-1,e[11]=-1,e[12]=0,e[13]=0,e[14]=u,e[15]=0,e}function ld(e,t=[],n=0){let r=Math.fround(e),i=e-r;return t[n]=r,t[n+1]=i,t}function ud(e){return e-Math.fround(e)}function dd(e){let t=new Float32Array(32);for(let n=0;n<4;++n)for(let r=0;r<4;++r){let i=n*4+r;ld(e[r*4+n],t,i*2)}return t}function fd(e,t=!0){return e??t}function pd(e=[0,0,0],t=!0){return t?e.map(e=>e/255):[...e]}function md(e,t=!0){let n=pd(e.slice(0,3),t),r=Number.isFinite(e[3]),i=r?e[3]:1;return[n[0],n[1],n[2],t&&r?i/255:i]}var hd=`
layout(std140) uniform fp64arithmeticUniforms {
  uniform float ONE;
  uniform float SPLIT;
} fp64;

/*
About LUMA_FP64_CODE_ELIMINATION_WORKAROUND

The purpose of this workaround is to prevent shader compilers from
optimizing away necessary arithmetic operations by swapping their sequences
or transform the equation to some 'equivalent' form.

These helpers implement Dekker/Veltkamp-style error tracking. If the compiler
folds constants or reassociates the arithmetic, the high/low split can stop
tracking the rounding error correctly. That failure mode tends to look fine in
simple coordinate setup, but then breaks down inside iterative arithmetic such
as fp64 Mandelbrot loops.

The method is to multiply an artifical variable, ONE, which will be known to
the compiler to be 1 only at runtime. The whole expression is then represented
as a polynomial with respective to ONE. In the coefficients of all terms, only one a
and one b should appear

err = (a + b) * ONE^6 - a * ONE^5 - (a + b) * ONE^4 + a * ONE^3 - b - (a + b) * ONE^2 + a * ONE
*/

float prevent_fp64_optimization(float value) {
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  return value + fp64.ONE * 0.0;
#else
  return value;
#endif
}

// Divide float number to high and low floats to extend fraction bits
vec2 split(float a) {
  // Keep SPLIT as a runtime uniform so the compiler cannot fold the Dekker
  // split into a constant expression and reassociate the recovery steps.
  float split = prevent_fp64_optimization(fp64.SPLIT);
  float t = prevent_fp64_optimization(a * split);
  float temp = t - a;
  float a_hi = t - temp;
  float a_lo = a - a_hi;
  return vec2(a_hi, a_lo);
}

// Divide float number again when high float uses too many fraction bits
vec2 split2(vec2 a) {
  vec2 b = split(a.x);
  b.y += a.y;
  return b;
}

// Special sum operation when a > b
vec2 quickTwoSum(float a, float b) {
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float sum = (a + b) * fp64.ONE;
  float err = b - (sum - a) * fp64.ONE;
#else
  float sum = a + b;
  float err = b - (sum - a);
#endif
  return vec2(sum, err);
}

// General sum operation
vec2 twoSum(float a, float b) {
  float s = (a + b);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float v = (s * fp64.ONE - a) * fp64.ONE;
  float err = (a - (s - v) * fp64.ONE) * fp64.ONE * fp64.ONE * fp64.ONE + (b - v);
#else
  float v = s - a;
  float err = (a - (s - v)) + (b - v);
#endif
  return vec2(s, err);
}

vec2 twoSub(float a, float b) {
  float s = (a - b);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float v = (s * fp64.ONE - a) * fp64.ONE;
  float err = (a - (s - v) * fp64.ONE) * fp64.ONE * fp64.ONE * fp64.ONE - (b + v);
#else
  float v = s - a;
  float err = (a - (s - v)) - (b + v);
#endif
  return vec2(s, err);
}

vec2 twoSqr(float a) {
  float prod = a * a;
  vec2 a_fp64 = split(a);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float err = ((a_fp64.x * a_fp64.x - prod) * fp64.ONE + 2.0 * a_fp64.x *
    a_fp64.y * fp64.ONE * fp64.ONE) + a_fp64.y * a_fp64.y * fp64.ONE * fp64.ONE * fp64.ONE;
#else
  float err = ((a_fp64.x * a_fp64.x - prod) + 2.0 * a_fp64.x * a_fp64.y) + a_fp64.y * a_fp64.y;
#endif
  return vec2(prod, err);
}

vec2 twoProd(float a, float b) {
  float prod = a * b;
  vec2 a_fp64 = split(a);
  vec2 b_fp64 = split(b);
  // twoProd is especially sensitive because mul_fp64 and div_fp64 both depend
  // on the split terms and cross terms staying in the original evaluation
  // order. If the compiler folds or reassociates them, the low part tends to
  // collapse to zero or NaN on some drivers.
  float highProduct = prevent_fp64_optimization(a_fp64.x * b_fp64.x);
  float crossProduct1 = prevent_fp64_optimization(a_fp64.x * b_fp64.y);
  float crossProduct2 = prevent_fp64_optimization(a_fp64.y * b_fp64.x);
  float lowProduct = prevent_fp64_optimization(a_fp64.y * b_fp64.y);
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  float err1 = (highProduct - prod) * fp64.ONE;
  float err2 = crossProduct1 * fp64.ONE * fp64.ONE;
  float err3 = crossProduct2 * fp64.ONE * fp64.ONE * fp64.ONE;
  float err4 = lowProduct * fp64.ONE * fp64.ONE * fp64.ONE * fp64.ONE;
#else
  float err1 = highProduct - prod;
  float err2 = crossProduct1;
  float err3 = crossProduct2;
  float err4 = lowProduct;
#endif
  float err = ((err1 + err2) + err3) + err4;
  return vec2(prod, err);
}

vec2 sum_fp64(vec2 a, vec2 b) {
  vec2 s, t;
  s = twoSum(a.x, b.x);
  t = twoSum(a.y, b.y);
  s.y += t.x;
  s = quickTwoSum(s.x, s.y);
  s.y += t.y;
  s = quickTwoSum(s.x, s.y);
  return s;
}

vec2 sub_fp64(vec2 a, vec2 b) {
  vec2 s, t;
  s = twoSub(a.x, b.x);
  t = twoSub(a.y, b.y);
  s.y += t.x;
  s = quickTwoSum(s.x, s.y);
  s.y += t.y;
  s = quickTwoSum(s.x, s.y);
  return s;
}

vec2 mul_fp64(vec2 a, vec2 b) {
  vec2 prod = twoProd(a.x, b.x);
  // y component is for the error
  prod.y += a.x * b.y;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  prod.y += a.y * b.x;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  return prod;
}

vec2 div_fp64(vec2 a, vec2 b) {
  float xn = 1.0 / b.x;
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  vec2 yn = mul_fp64(a, vec2(xn, 0));
#else
  vec2 yn = a * xn;
#endif
  float diff = (sub_fp64(a, mul_fp64(b, yn))).x;
  vec2 prod = twoProd(xn, diff);
  return sum_fp64(yn, prod);
}

vec2 sqrt_fp64(vec2 a) {
  if (a.x == 0.0 && a.y == 0.0) return vec2(0.0, 0.0);
  if (a.x < 0.0) return vec2(0.0 / 0.0, 0.0 / 0.0);

  float x = 1.0 / sqrt(a.x);
  float yn = a.x * x;
#if defined(LUMA_FP64_CODE_ELIMINATION_WORKAROUND)
  vec2 yn_sqr = twoSqr(yn) * fp64.ONE;
#else
  vec2 yn_sqr = twoSqr(yn);
#endif
  float diff = sub_fp64(a, yn_sqr).x;
  vec2 prod = twoProd(x * 0.5, diff);
#if defined(LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND)
  return sum_fp64(split(yn), prod);
#else
  return sum_fp64(vec2(yn, 0.0), prod);
#endif
}
`,gd={name:`fp64arithmetic`,source:`struct Fp64ArithmeticUniforms {
  ONE: f32,
  SPLIT: f32,
};

@group(0) @binding(auto) var<uniform> fp64arithmetic : Fp64ArithmeticUniforms;

#ifndef LUMA_FP64_F32_INPUT_ONLY
struct Fp64Bits {
  sign: u32,
  exponent: i32,
  significand: vec2u,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_nan(seed: f32) -> f32 {
  let nanBits = 0x7fc00000u | select(0u, 1u, seed < 0.0);
  return bitcast<f32>(nanBits);
}
#endif

fn fp64_u64_is_zero(value: vec2u) -> bool {
  return value.x == 0u && value.y == 0u;
}

fn fp64_u64_compare(a: vec2u, b: vec2u) -> i32 {
  if (a.x != b.x) {
    return select(-1, 1, a.x > b.x);
  }
  if (a.y != b.y) {
    return select(-1, 1, a.y > b.y);
  }
  return 0;
}

fn fp64_u64_add(a: vec2u, b: vec2u) -> vec2u {
  let low = a.y + b.y;
  let carry = select(0u, 1u, low < a.y);
  return vec2u(a.x + b.x + carry, low);
}

fn fp64_u64_sub(a: vec2u, b: vec2u) -> vec2u {
  let borrow = select(0u, 1u, a.y < b.y);
  return vec2u(a.x - b.x - borrow, a.y - b.y);
}

fn fp64_u64_shift_left(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }
  if (shift < 32u) {
    return vec2u((value.x << shift) | (value.y >> (32u - shift)), value.y << shift);
  }
  if (shift == 32u) {
    return vec2u(value.y, 0u);
  }
  if (shift < 64u) {
    return vec2u(value.y << (shift - 32u), 0u);
  }
  return vec2u(0u);
}

fn fp64_u64_shift_right(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }
  if (shift < 32u) {
    return vec2u(value.x >> shift, (value.y >> shift) | (value.x << (32u - shift)));
  }
  if (shift == 32u) {
    return vec2u(0u, value.x);
  }
  if (shift < 64u) {
    return vec2u(0u, value.x >> (shift - 32u));
  }
  return vec2u(0u);
}

fn fp64_u64_get_bit(value: vec2u, bitIndex: u32) -> bool {
  if (bitIndex >= 64u) {
    return false;
  }
  if (bitIndex >= 32u) {
    return ((value.x >> (bitIndex - 32u)) & 1u) != 0u;
  }
  return ((value.y >> bitIndex) & 1u) != 0u;
}

fn fp64_u64_has_bits_below(value: vec2u, bitCount: u32) -> bool {
  if (bitCount == 0u) {
    return false;
  }
  if (bitCount >= 64u) {
    return !fp64_u64_is_zero(value);
  }
  if (bitCount > 32u) {
    let highBitCount = bitCount - 32u;
    let highMask = (1u << highBitCount) - 1u;
    return value.y != 0u || (value.x & highMask) != 0u;
  }
  if (bitCount == 32u) {
    return value.y != 0u;
  }
  let lowMask = (1u << bitCount) - 1u;
  return (value.y & lowMask) != 0u;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_u64_shift_right_sticky(value: vec2u, shift: u32) -> vec2u {
  var shifted = fp64_u64_shift_right(value, shift);
  if (fp64_u64_has_bits_below(value, shift)) {
    shifted.y = shifted.y | 1u;
  }
  return shifted;
}
#endif

fn fp64_u64_count_leading_zeros(value: vec2u) -> u32 {
  if (value.x != 0u) {
    return countLeadingZeros(value.x);
  }
  return 32u + countLeadingZeros(value.y);
}

fn fp64_round_shift_right_to_u32(value: vec2u, shift: u32) -> u32 {
  if (shift == 0u) {
    return value.y;
  }

  let truncated = fp64_u64_shift_right(value, shift);
  var rounded = truncated.y;
  let guard = fp64_u64_get_bit(value, shift - 1u);
  let hasTrailingBits = fp64_u64_has_bits_below(value, shift - 1u);
  if (guard && (hasTrailingBits || (rounded & 1u) == 1u)) {
    rounded = rounded + 1u;
  }
  return rounded;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_round_shift_right(value: vec2u, shift: u32) -> vec2u {
  if (shift == 0u) {
    return value;
  }

  var rounded = fp64_u64_shift_right(value, shift);
  let guard = fp64_u64_get_bit(value, shift - 1u);
  let hasTrailingBits = fp64_u64_has_bits_below(value, shift - 1u);
  if (guard && (hasTrailingBits || (rounded.y & 1u) == 1u)) {
    rounded = fp64_u64_add(rounded, vec2u(0u, 1u));
  }
  return rounded;
}
#endif

fn fp64_make_f32_bits_from_u64(sign: u32, significand: vec2u, baseExponent: i32) -> u32 {
  if (fp64_u64_is_zero(significand)) {
    return sign << 31u;
  }

  let leadingZeros = fp64_u64_count_leading_zeros(significand);
  let mostSignificantBit = 63u - leadingZeros;
  var exponent = baseExponent + i32(mostSignificantBit);

  if (exponent > 127) {
    return (sign << 31u) | 0x7f800000u;
  }

  if (exponent >= -126) {
    let shift = i32(mostSignificantBit) - 23;
    var significand24: u32;
    if (shift > 0) {
      significand24 = fp64_round_shift_right_to_u32(significand, u32(shift));
    } else {
      significand24 = fp64_u64_shift_left(significand, u32(-shift)).y;
    }

    if (significand24 >= 0x1000000u) {
      significand24 = significand24 >> 1u;
      exponent = exponent + 1;
      if (exponent > 127) {
        return (sign << 31u) | 0x7f800000u;
      }
    }

    return (sign << 31u) | (u32(exponent + 127) << 23u) | (significand24 & 0x7fffffu);
  }

  let scaleExponent = baseExponent + 149;
  var mantissa: u32;
  if (scaleExponent >= 0) {
    mantissa = fp64_u64_shift_left(significand, u32(scaleExponent)).y;
  } else {
    mantissa = fp64_round_shift_right_to_u32(significand, u32(-scaleExponent));
  }

  if (mantissa >= 0x800000u) {
    return (sign << 31u) | 0x00800000u;
  }
  return (sign << 31u) | mantissa;
}

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_decode_bits(bits: vec2u) -> Fp64Bits {
  let sign = bits.x >> 31u;
  let exponentBits = (bits.x >> 20u) & 0x7ffu;
  let fractionHigh = bits.x & 0xfffffu;
  let fractionLow = bits.y;
  let fraction = vec2u(fractionHigh, fractionLow);

  if (exponentBits == 0x7ffu) {
    let isInf = fp64_u64_is_zero(fraction);
    return Fp64Bits(sign, 0, vec2u(0u), false, isInf, !isInf);
  }

  if (exponentBits == 0u) {
    let isZero = fp64_u64_is_zero(fraction);
    return Fp64Bits(sign, -1022, fraction, isZero, false, false);
  }

  return Fp64Bits(sign, i32(exponentBits) - 1023, vec2u((1u << 20u) | fractionHigh, fractionLow), false, false, false);
}

fn fp64_finite_magnitude_compare(a: Fp64Bits, b: Fp64Bits) -> i32 {
  if (a.exponent != b.exponent) {
    return select(-1, 1, a.exponent > b.exponent);
  }
  return fp64_u64_compare(a.significand, b.significand);
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
struct Fp64RawF32Bits {
  sign: u32,
  baseExponent: i32,
  significand: u32,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};

// Decode an f32 as (-1)^sign * significand * 2^baseExponent. This shared
// integer representation lets normalization remain independent of the
// selected double-single arithmetic implementation.
fn fp64_decode_raw_f32_bits(bits: u32) -> Fp64RawF32Bits {
  let sign = bits >> 31u;
  let exponentBits = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;

  if (exponentBits == 0xffu) {
    return Fp64RawF32Bits(sign, 0, 0u, false, fraction == 0u, fraction != 0u);
  }
  if (exponentBits == 0u) {
    return Fp64RawF32Bits(sign, -149, fraction, fraction == 0u, false, false);
  }
  return Fp64RawF32Bits(
    sign,
    i32(exponentBits) - 150,
    0x800000u | fraction,
    false,
    false,
    false
  );
}

fn fp64_raw_f32_magnitude_compare(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  return select(-1, 1, aMagnitude > bMagnitude);
}

fn fp64_make_raw_residual_f32_bits(
  exactSign: u32,
  exactMagnitude: vec2u,
  exactBaseExponent: i32,
  highBits: u32
) -> u32 {
  if (fp64_u64_is_zero(exactMagnitude)) {
    return 0u;
  }

  let high = fp64_decode_raw_f32_bits(highBits);
  if (high.isInf || high.isNan) {
    return 0u;
  }
  if (high.isZero) {
    return fp64_make_f32_bits_from_u64(exactSign, exactMagnitude, exactBaseExponent);
  }

  let commonBaseExponent = min(exactBaseExponent, high.baseExponent);
  let exactShift = exactBaseExponent - commonBaseExponent;
  let highShift = high.baseExponent - commonBaseExponent;
  if (exactShift >= 64 || highShift >= 64) {
    return 0u;
  }

  let exactAligned = fp64_u64_shift_left(exactMagnitude, u32(exactShift));
  let highAligned = fp64_u64_shift_left(vec2u(0u, high.significand), u32(highShift));
  let comparison = fp64_u64_compare(exactAligned, highAligned);
  if (comparison == 0) {
    return 0u;
  }

  var residualSign = exactSign;
  var residualMagnitude: vec2u;
  if (comparison > 0) {
    residualMagnitude = fp64_u64_sub(exactAligned, highAligned);
  } else {
    residualSign = exactSign ^ 1u;
    residualMagnitude = fp64_u64_sub(highAligned, exactAligned);
  }
  return fp64_make_f32_bits_from_u64(
    residualSign,
    residualMagnitude,
    commonBaseExponent
  );
}

fn fp64_split_raw_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  if (fp64_u64_is_zero(magnitude)) {
    return vec2u(0u);
  }
  let highBits = fp64_make_f32_bits_from_u64(sign, magnitude, baseExponent);
  let rawLowBits = fp64_make_raw_residual_f32_bits(sign, magnitude, baseExponent, highBits);
  let lowBits = select(rawLowBits, 0u, (rawLowBits & 0x7fffffffu) == 0u);
  if ((highBits & 0x7fffffffu) == 0u && (lowBits & 0x7fffffffu) == 0u) {
    return vec2u(0u);
  }
  return vec2u(highBits, lowBits);
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
// Round an arithmetic accumulator to binary64 before splitting it. The
// aligned add/subtract paths retain three guard bits plus a sticky bit, which
// is sufficient for round-to-nearest-even at the binary64 boundary.
fn fp64_split_binary64_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  if (fp64_u64_is_zero(magnitude)) {
    return vec2u(0u);
  }

  let mostSignificantBit = 63u - fp64_u64_count_leading_zeros(magnitude);
  let exponent = baseExponent + i32(mostSignificantBit);
  if (exponent > 1023) {
    return vec2u((sign << 31u) | 0x7f800000u, 0u);
  }

  var roundedMagnitude = magnitude;
  var roundedBaseExponent = baseExponent;
  if (exponent >= -1022) {
    if (mostSignificantBit > 52u) {
      let shift = mostSignificantBit - 52u;
      roundedMagnitude = fp64_round_shift_right(magnitude, shift);
      roundedBaseExponent = baseExponent + i32(shift);
    }
  } else {
    let shift = -1074 - baseExponent;
    if (shift > 0) {
      roundedMagnitude = fp64_round_shift_right(magnitude, u32(shift));
      roundedBaseExponent = -1074;
    }
  }

  if (fp64_u64_is_zero(roundedMagnitude)) {
    return vec2u(0u);
  }
  return fp64_split_raw_accumulator_bits(sign, roundedMagnitude, roundedBaseExponent);
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_add_raw_f32_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_raw_f32_bits(aBits);
  let b = fp64_decode_raw_f32_bits(bBits);

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    if (a.isInf && b.isInf && a.sign != b.sign) {
      return vec2u(0x7fc00000u, 0u);
    }
    return select(vec2u(bBits, 0u), vec2u(aBits, 0u), a.isInf);
  }
  if (a.isZero && b.isZero) {
    return vec2u(0u);
  }
  if (a.isZero) {
    return vec2u(bBits, 0u);
  }
  if (b.isZero) {
    return vec2u(aBits, 0u);
  }

  let exponentDifference = abs(a.baseExponent - b.baseExponent);
  if (exponentDifference > 25) {
    if (fp64_raw_f32_magnitude_compare(aBits, bBits) >= 0) {
      return vec2u(aBits, bBits);
    }
    return vec2u(bBits, aBits);
  }

  let commonBaseExponent = min(a.baseExponent, b.baseExponent);
  let aMagnitude = fp64_u64_shift_left(
    vec2u(0u, a.significand),
    u32(a.baseExponent - commonBaseExponent)
  );
  let bMagnitude = fp64_u64_shift_left(
    vec2u(0u, b.significand),
    u32(b.baseExponent - commonBaseExponent)
  );

  var resultSign = a.sign;
  var resultMagnitude: vec2u;
  if (a.sign == b.sign) {
    resultMagnitude = fp64_u64_add(aMagnitude, bMagnitude);
  } else {
    let comparison = fp64_u64_compare(aMagnitude, bMagnitude);
    if (comparison == 0) {
      return vec2u(0u);
    }
    if (comparison > 0) {
      resultMagnitude = fp64_u64_sub(aMagnitude, bMagnitude);
    } else {
      resultSign = b.sign;
      resultMagnitude = fp64_u64_sub(bMagnitude, aMagnitude);
    }
  }

  return fp64_split_raw_accumulator_bits(
    resultSign,
    resultMagnitude,
    commonBaseExponent
  );
}
#endif

#ifndef LUMA_FP64_F32_INPUT_ONLY
fn fp64_add_aligned_magnitudes_to_fp64_bits(
  sign: u32,
  larger: Fp64Bits,
  smaller: Fp64Bits
) -> vec2u {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_add(largeSignificand, smallSignificand);
  return fp64_split_binary64_accumulator_bits(
    sign,
    resultSignificand,
    larger.exponent - 55
  );
}

fn fp64_sub_aligned_magnitudes_to_fp64_bits(
  sign: u32,
  larger: Fp64Bits,
  smaller: Fp64Bits
) -> vec2u {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_sub(largeSignificand, smallSignificand);
  return fp64_split_binary64_accumulator_bits(
    sign,
    resultSignificand,
    larger.exponent - 55
  );
}

fn fp64_add_aligned_magnitudes_to_f32_bits(sign: u32, larger: Fp64Bits, smaller: Fp64Bits) -> u32 {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_add(largeSignificand, smallSignificand);
  return fp64_make_f32_bits_from_u64(sign, resultSignificand, larger.exponent - 55);
}

fn fp64_sub_aligned_magnitudes_to_f32_bits(sign: u32, larger: Fp64Bits, smaller: Fp64Bits) -> u32 {
  let largeSignificand = fp64_u64_shift_left(larger.significand, 3u);
  let smallSignificand = fp64_u64_shift_right_sticky(
    fp64_u64_shift_left(smaller.significand, 3u),
    u32(larger.exponent - smaller.exponent)
  );
  let resultSignificand = fp64_u64_sub(largeSignificand, smallSignificand);
  return fp64_make_f32_bits_from_u64(sign, resultSignificand, larger.exponent - 55);
}

// Subtract two raw binary64 values and round the exact result once to f32.
// The input words are canonical high/low words: .x contains sign/exponent/high
// fraction bits, and .y contains the low 32 fraction bits.
fn sub_fp64u32_to_f32_bits(aBits: vec2u, bBits: vec2u) -> u32 {
  let a = fp64_decode_bits(aBits);
  let b = fp64_decode_bits(bBits);
  let bSubtractionSign = b.sign ^ 1u;

  if (a.isNan || b.isNan) {
    return 0x7fc00000u;
  }
  if (a.isInf && b.isInf) {
    if (a.sign == bSubtractionSign) {
      return (a.sign << 31u) | 0x7f800000u;
    }
    return 0x7fc00000u;
  }
  if (a.isInf) {
    return (a.sign << 31u) | 0x7f800000u;
  }
  if (b.isInf) {
    return (bSubtractionSign << 31u) | 0x7f800000u;
  }
  if (a.isZero && b.isZero) {
    return select(0u, 0x80000000u, a.sign == 1u && b.sign == 0u);
  }

  let magnitudeComparison = fp64_finite_magnitude_compare(a, b);
  if (a.sign == bSubtractionSign) {
    if (magnitudeComparison >= 0) {
      return fp64_add_aligned_magnitudes_to_f32_bits(a.sign, a, b);
    }
    return fp64_add_aligned_magnitudes_to_f32_bits(a.sign, b, a);
  }

  if (magnitudeComparison == 0) {
    return 0u;
  }
  if (magnitudeComparison > 0) {
    return fp64_sub_aligned_magnitudes_to_f32_bits(a.sign, a, b);
  }
  return fp64_sub_aligned_magnitudes_to_f32_bits(bSubtractionSign, b, a);
}

fn sub_fp64u32_to_f32(aBits: vec2u, bBits: vec2u) -> f32 {
  return bitcast<f32>(sub_fp64u32_to_f32_bits(aBits, bBits));
}

// Subtract two raw binary64 values, round once to binary64, then split the
// result into normalized f32 limbs. Finite results must fit within the f32
// exponent range; larger magnitudes map to infinity and smaller magnitudes
// map to zero. The input words use canonical high/low word order.
fn sub_fp64u32_to_fp64_bits(aBits: vec2u, bBits: vec2u) -> vec2u {
  let a = fp64_decode_bits(aBits);
  let b = fp64_decode_bits(bBits);
  let bSubtractionSign = b.sign ^ 1u;

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf && b.isInf) {
    if (a.sign == bSubtractionSign) {
      return vec2u((a.sign << 31u) | 0x7f800000u, 0u);
    }
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf) {
    return vec2u((a.sign << 31u) | 0x7f800000u, 0u);
  }
  if (b.isInf) {
    return vec2u((bSubtractionSign << 31u) | 0x7f800000u, 0u);
  }
  if (a.isZero && b.isZero) {
    return vec2u(0u);
  }

  let magnitudeComparison = fp64_finite_magnitude_compare(a, b);
  if (a.sign == bSubtractionSign) {
    if (magnitudeComparison >= 0) {
      return fp64_add_aligned_magnitudes_to_fp64_bits(a.sign, a, b);
    }
    return fp64_add_aligned_magnitudes_to_fp64_bits(a.sign, b, a);
  }

  if (magnitudeComparison == 0) {
    return vec2u(0u);
  }
  if (magnitudeComparison > 0) {
    return fp64_sub_aligned_magnitudes_to_fp64_bits(a.sign, a, b);
  }
  return fp64_sub_aligned_magnitudes_to_fp64_bits(bSubtractionSign, b, a);
}

fn sub_fp64u32_to_fp64(aBits: vec2u, bBits: vec2u) -> vec2f {
  let resultBits = sub_fp64u32_to_fp64_bits(aBits, bBits);
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_runtime_zero() -> f32 {
  return fp64arithmetic.ONE * 0.0;
}

fn prevent_fp64_optimization(value: f32) -> f32 {
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  return value + fp64_runtime_zero();
#else
  return value;
#endif
}
#endif

#ifdef LUMA_FP64_INTEGER_ARITHMETIC
struct Fp64F32Bits {
  sign: u32,
  baseExponent: i32,
  significand: u32,
  isZero: bool,
  isInf: bool,
  isNan: bool,
};

// Decode an f32 as (-1)^sign * significand * 2^baseExponent.
fn fp64_decode_f32_bits(bits: u32) -> Fp64F32Bits {
  let sign = bits >> 31u;
  let exponentBits = (bits >> 23u) & 0xffu;
  let fraction = bits & 0x7fffffu;

  if (exponentBits == 0xffu) {
    return Fp64F32Bits(sign, 0, 0u, false, fraction == 0u, fraction != 0u);
  }
  if (exponentBits == 0u) {
    return Fp64F32Bits(sign, -149, fraction, fraction == 0u, false, false);
  }
  return Fp64F32Bits(sign, i32(exponentBits) - 150, 0x800000u | fraction, false, false, false);
}

fn fp64_f32_magnitude_compare(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  return select(-1, 1, aMagnitude > bMagnitude);
}

fn fp64_make_residual_f32_bits(
  exactSign: u32,
  exactMagnitude: vec2u,
  exactBaseExponent: i32,
  highBits: u32
) -> u32 {
  if (fp64_u64_is_zero(exactMagnitude)) {
    return 0u;
  }

  let high = fp64_decode_f32_bits(highBits);
  if (high.isInf || high.isNan) {
    return exactSign << 31u;
  }
  if (high.isZero) {
    return fp64_make_f32_bits_from_u64(exactSign, exactMagnitude, exactBaseExponent);
  }

  let commonBaseExponent = min(exactBaseExponent, high.baseExponent);
  let exactShift = exactBaseExponent - commonBaseExponent;
  let highShift = high.baseExponent - commonBaseExponent;

  // A normal two-sum/two-product residual never needs a shift this large.
  // This guard gives deterministic underflow behavior outside that contract.
  if (exactShift >= 64 || highShift >= 64) {
    return exactSign << 31u;
  }

  let exactAligned = fp64_u64_shift_left(exactMagnitude, u32(exactShift));
  let highAligned = fp64_u64_shift_left(vec2u(0u, high.significand), u32(highShift));
  let comparison = fp64_u64_compare(exactAligned, highAligned);
  if (comparison == 0) {
    return 0u;
  }

  var residualSign = exactSign;
  var residualMagnitude: vec2u;
  if (comparison > 0) {
    residualMagnitude = fp64_u64_sub(exactAligned, highAligned);
  } else {
    residualSign = exactSign ^ 1u;
    residualMagnitude = fp64_u64_sub(highAligned, exactAligned);
  }
  return fp64_make_f32_bits_from_u64(
    residualSign,
    residualMagnitude,
    commonBaseExponent
  );
}

fn fp64_split_accumulator_bits(
  sign: u32,
  magnitude: vec2u,
  baseExponent: i32
) -> vec2u {
  let highBits = fp64_make_f32_bits_from_u64(sign, magnitude, baseExponent);
  let lowBits = fp64_make_residual_f32_bits(sign, magnitude, baseExponent, highBits);
  return vec2u(highBits, lowBits);
}

fn fp64_two_sum_integer_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_f32_bits(aBits);
  let b = fp64_decode_f32_bits(bBits);

  if (a.isNan || b.isNan) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    if (a.isInf && b.isInf && a.sign != b.sign) {
      return vec2u(0x7fc00000u, 0u);
    }
    return select(vec2u(bBits, 0u), vec2u(aBits, 0u), a.isInf);
  }
  if (a.isZero && b.isZero) {
    return vec2u((a.sign & b.sign) << 31u, 0u);
  }
  if (a.isZero) {
    return vec2u(bBits, 0u);
  }
  if (b.isZero) {
    return vec2u(aBits, 0u);
  }

  let exponentDifference = select(
    b.baseExponent - a.baseExponent,
    a.baseExponent - b.baseExponent,
    a.baseExponent >= b.baseExponent
  );

  // Beyond half an ulp, rounding cannot change the larger operand. Returning
  // the smaller operand intact also avoids an unbounded integer alignment.
  // At a power-of-two boundary the spacing below the larger operand is half
  // the spacing above it, so an opposite-sign gap-25 operand can still change
  // the rounded high limb. Gap 26 is the first universally safe early-out.
  if (exponentDifference > 25) {
    if (fp64_f32_magnitude_compare(aBits, bBits) >= 0) {
      return vec2u(aBits, bBits);
    }
    return vec2u(bBits, aBits);
  }

  let commonBaseExponent = min(a.baseExponent, b.baseExponent);
  let aMagnitude = fp64_u64_shift_left(
    vec2u(0u, a.significand),
    u32(a.baseExponent - commonBaseExponent)
  );
  let bMagnitude = fp64_u64_shift_left(
    vec2u(0u, b.significand),
    u32(b.baseExponent - commonBaseExponent)
  );

  var resultSign = a.sign;
  var resultMagnitude: vec2u;
  if (a.sign == b.sign) {
    resultMagnitude = fp64_u64_add(aMagnitude, bMagnitude);
  } else {
    let comparison = fp64_u64_compare(aMagnitude, bMagnitude);
    if (comparison == 0) {
      return vec2u(0u, 0u);
    }
    if (comparison > 0) {
      resultMagnitude = fp64_u64_sub(aMagnitude, bMagnitude);
    } else {
      resultSign = b.sign;
      resultMagnitude = fp64_u64_sub(bMagnitude, aMagnitude);
    }
  }

  return fp64_split_accumulator_bits(resultSign, resultMagnitude, commonBaseExponent);
}

fn fp64_two_sum_integer(a: f32, b: f32) -> vec2f {
  let resultBits = fp64_two_sum_integer_bits(bitcast<u32>(a), bitcast<u32>(b));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn fp64_multiply_significands(a: u32, b: u32) -> vec2u {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let lowProduct = aLow * bLow;
  let crossProduct = aLow * bHigh + aHigh * bLow;
  let highProduct = aHigh * bHigh;

  var result = vec2u(0u, lowProduct);
  result = fp64_u64_add(
    result,
    fp64_u64_shift_left(vec2u(0u, crossProduct), 16u)
  );
  result = fp64_u64_add(result, vec2u(highProduct, 0u));
  return result;
}

fn fp64_two_prod_integer_bits(aBits: u32, bBits: u32) -> vec2u {
  let a = fp64_decode_f32_bits(aBits);
  let b = fp64_decode_f32_bits(bBits);
  let resultSign = a.sign ^ b.sign;

  if (a.isNan || b.isNan || ((a.isZero || b.isZero) && (a.isInf || b.isInf))) {
    return vec2u(0x7fc00000u, 0u);
  }
  if (a.isInf || b.isInf) {
    return vec2u((resultSign << 31u) | 0x7f800000u, resultSign << 31u);
  }
  if (a.isZero || b.isZero) {
    return vec2u(resultSign << 31u, resultSign << 31u);
  }

  let magnitude = fp64_multiply_significands(a.significand, b.significand);
  return fp64_split_accumulator_bits(
    resultSign,
    magnitude,
    a.baseExponent + b.baseExponent
  );
}

fn fp64_two_prod_integer(a: f32, b: f32) -> vec2f {
  let resultBits = fp64_two_prod_integer_bits(bitcast<u32>(a), bitcast<u32>(b));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn fp64_round_add_integer(a: f32, b: f32) -> f32 {
  return fp64_two_sum_integer(a, b).x;
}

fn fp64_round_mul_integer(a: f32, b: f32) -> f32 {
  return fp64_two_prod_integer(a, b).x;
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_f32_finite_exponent(value: Fp64F32Bits) -> i32 {
  let mostSignificantBit = 31u - countLeadingZeros(value.significand);
  return value.baseExponent + i32(mostSignificantBit);
}

fn fp64_scale_f32_integer(value: f32, exponent: i32) -> f32 {
  let decoded = fp64_decode_f32_bits(bitcast<u32>(value));
  if (decoded.isZero || decoded.isInf || decoded.isNan) {
    return value;
  }
  let resultBits = fp64_make_f32_bits_from_u64(
    decoded.sign,
    vec2u(0u, decoded.significand),
    decoded.baseExponent + exponent
  );
  return bitcast<f32>(resultBits);
}

// Divide normalized significands so the hardware operation cannot overflow,
// underflow, or flush a subnormal result. Reapply the exponent with integer
// packing, which also produces subnormal correction limbs without relying on
// floating-point arithmetic to preserve them.
fn fp64_divide_f32_integer(aValue: f32, bValue: f32) -> f32 {
  let a = fp64_decode_f32_bits(bitcast<u32>(aValue));
  let b = fp64_decode_f32_bits(bitcast<u32>(bValue));
  if (a.isZero || b.isZero || a.isInf || b.isInf || a.isNan || b.isNan) {
    return aValue / bValue;
  }

  let aMostSignificantBit = 31u - countLeadingZeros(a.significand);
  let bMostSignificantBit = 31u - countLeadingZeros(b.significand);
  let normalizedABits = fp64_make_f32_bits_from_u64(
    a.sign,
    vec2u(0u, a.significand),
    -i32(aMostSignificantBit)
  );
  let normalizedBBits = fp64_make_f32_bits_from_u64(
    b.sign,
    vec2u(0u, b.significand),
    -i32(bMostSignificantBit)
  );
  let normalizedQuotient = bitcast<f32>(normalizedABits) / bitcast<f32>(normalizedBBits);
  let quotient = fp64_decode_f32_bits(bitcast<u32>(normalizedQuotient));
  let exponentShift =
    a.baseExponent + i32(aMostSignificantBit) -
    b.baseExponent - i32(bMostSignificantBit);
  let quotientBits = fp64_make_f32_bits_from_u64(
    quotient.sign,
    vec2u(0u, quotient.significand),
    quotient.baseExponent + exponentShift
  );
  return bitcast<f32>(quotientBits);
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn split(a: f32) -> vec2f {
  let aBits = bitcast<u32>(a);
  let decoded = fp64_decode_f32_bits(aBits);
  if (decoded.isZero || decoded.isInf || decoded.isNan) {
    return vec2f(a, 0.0);
  }

  var roundedHigh = decoded.significand >> 12u;
  let remainder = decoded.significand & 0xfffu;
  if (remainder > 0x800u || (remainder == 0x800u && (roundedHigh & 1u) == 1u)) {
    roundedHigh = roundedHigh + 1u;
  }
  var highMagnitude = vec2u(0u, roundedHigh << 12u);
  var highBits = fp64_make_f32_bits_from_u64(
    decoded.sign,
    highMagnitude,
    decoded.baseExponent
  );
  // Rounding the high limb of a maximum-exponent value can overflow even
  // though the original value is finite. Truncate only in that boundary case
  // so split remains an exact finite decomposition.
  if (fp64_decode_f32_bits(highBits).isInf) {
    roundedHigh = decoded.significand >> 12u;
    highMagnitude = vec2u(0u, roundedHigh << 12u);
    highBits = fp64_make_f32_bits_from_u64(
      decoded.sign,
      highMagnitude,
      decoded.baseExponent
    );
  }
  let lowBits = fp64_make_residual_f32_bits(
    decoded.sign,
    vec2u(0u, decoded.significand),
    decoded.baseExponent,
    highBits
  );
  return vec2f(bitcast<f32>(highBits), bitcast<f32>(lowBits));
}

fn split2(a: vec2f) -> vec2f {
  var result = split(a.x);
  result.y = fp64_round_add_integer(result.y, a.y);
  return result;
}
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn quickTwoSum(a: f32, b: f32) -> vec2f {
  return fp64_two_sum_integer(a, b);
}
#endif

fn twoSum(a: f32, b: f32) -> vec2f {
  return fp64_two_sum_integer(a, b);
}

fn twoSub(a: f32, b: f32) -> vec2f {
  let bBits = bitcast<u32>(b) ^ 0x80000000u;
  let resultBits = fp64_two_sum_integer_bits(bitcast<u32>(a), bBits);
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn twoSqr(a: f32) -> vec2f {
  return fp64_two_prod_integer(a, a);
}

fn twoProd(a: f32, b: f32) -> vec2f {
  return fp64_two_prod_integer(a, b);
}
#endif

fn sum_fp64(a: vec2f, b: vec2f) -> vec2f {
  var sum = fp64_two_sum_integer(a.x, b.x);
  let lowSum = fp64_two_sum_integer(a.y, b.y);
  sum.y = fp64_round_add_integer(sum.y, lowSum.x);
  sum = fp64_two_sum_integer(sum.x, sum.y);
  sum.y = fp64_round_add_integer(sum.y, lowSum.y);
  return fp64_two_sum_integer(sum.x, sum.y);
}

fn sub_fp64(a: vec2f, b: vec2f) -> vec2f {
  let negatedB = vec2f(
    bitcast<f32>(bitcast<u32>(b.x) ^ 0x80000000u),
    bitcast<f32>(bitcast<u32>(b.y) ^ 0x80000000u)
  );
  return sum_fp64(a, negatedB);
}

fn mul_fp64(a: vec2f, b: vec2f) -> vec2f {
  var product = fp64_two_prod_integer(a.x, b.x);
  let crossProduct1 = fp64_round_mul_integer(a.x, b.y);
  product.y = fp64_round_add_integer(product.y, crossProduct1);
  product = fp64_two_sum_integer(product.x, product.y);
  let crossProduct2 = fp64_round_mul_integer(a.y, b.x);
  product.y = fp64_round_add_integer(product.y, crossProduct2);
  return fp64_two_sum_integer(product.x, product.y);
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_scale_fp64_integer(value: vec2f, exponent: i32) -> vec2f {
  let high = fp64_scale_f32_integer(value.x, exponent);
  let low = fp64_scale_f32_integer(value.y, exponent);
  return sum_fp64(vec2f(high, 0.0), vec2f(low, 0.0));
}

fn fp64_div_fp64_normalized(a: vec2f, b: vec2f) -> vec2f {
  let quotientHigh = fp64_divide_f32_integer(a.x, b.x);
  var quotient = vec2f(quotientHigh, 0.0);

  let remainder = sub_fp64(a, mul_fp64(b, quotient));
  let quotientLow = fp64_divide_f32_integer(remainder.x, b.x);
  quotient = sum_fp64(quotient, vec2f(quotientLow, 0.0));

  let secondRemainder = sub_fp64(a, mul_fp64(b, quotient));
  let correction = fp64_divide_f32_integer(secondRemainder.x, b.x);
  return sum_fp64(quotient, vec2f(correction, 0.0));
}

fn div_fp64(a: vec2f, b: vec2f) -> vec2f {
  let decodedA = fp64_decode_f32_bits(bitcast<u32>(a.x));
  let decodedB = fp64_decode_f32_bits(bitcast<u32>(b.x));
  if (
    decodedA.isZero || decodedB.isZero ||
    decodedA.isInf || decodedB.isInf ||
    decodedA.isNan || decodedB.isNan
  ) {
    return fp64_div_fp64_normalized(a, b);
  }

  let exponentA = fp64_f32_finite_exponent(decodedA);
  let exponentB = fp64_f32_finite_exponent(decodedB);
  // Correct the quotient near unity so b * q and the remainder stay clear of
  // both f32 underflow and overflow. The exponent difference is applied once.
  let normalizedA = fp64_scale_fp64_integer(a, -exponentA);
  let normalizedB = fp64_scale_fp64_integer(b, -exponentB);
  let normalizedQuotient = fp64_div_fp64_normalized(normalizedA, normalizedB);
  return fp64_scale_fp64_integer(normalizedQuotient, exponentA - exponentB);
}

fn fp64_sqrt_fp64_normalized(a: vec2f) -> vec2f {
  let estimate = sqrt(a.x);
  let difference = sub_fp64(a, fp64_two_prod_integer(estimate, estimate)).x;
  let denominator = fp64_round_add_integer(estimate, estimate);
  let correction = fp64_divide_f32_integer(difference, denominator);
  return sum_fp64(vec2f(estimate, 0.0), vec2f(correction, 0.0));
}

fn sqrt_fp64(a: vec2f) -> vec2f {
  let decoded = fp64_decode_f32_bits(bitcast<u32>(a.x));
  let decodedLow = fp64_decode_f32_bits(bitcast<u32>(a.y));
  if (decoded.isZero && decodedLow.isZero) {
    return vec2f(0.0, 0.0);
  }
  if (decoded.sign == 1u) {
    let nanValue = fp64_nan(a.x);
    return vec2f(nanValue, nanValue);
  }

  if (decoded.isInf || decoded.isNan) {
    return fp64_sqrt_fp64_normalized(a);
  }
  let exponent = fp64_f32_finite_exponent(decoded);
  // An even scale lets the final square-root rescale use an integer exponent.
  let evenExponent = exponent - (exponent & 1);
  let normalizedA = fp64_scale_fp64_integer(a, -evenExponent);
  let normalizedRoot = fp64_sqrt_fp64_normalized(normalizedA);
  return fp64_scale_fp64_integer(normalizedRoot, evenExponent / 2);
}
#endif

#else
fn split(a: f32) -> vec2f {
  let splitValue = prevent_fp64_optimization(fp64arithmetic.SPLIT + fp64_runtime_zero());
  let t = prevent_fp64_optimization(a * splitValue);
  let temp = prevent_fp64_optimization(t - a);
  let aHi = prevent_fp64_optimization(t - temp);
  let aLo = prevent_fp64_optimization(a - aHi);
  return vec2f(aHi, aLo);
}

fn split2(a: vec2f) -> vec2f {
  var b = split(a.x);
  b.y = b.y + a.y;
  return b;
}

fn quickTwoSum(a: f32, b: f32) -> vec2f {
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let sum = prevent_fp64_optimization((a + b) * fp64arithmetic.ONE);
  let err = prevent_fp64_optimization(b - (sum - a) * fp64arithmetic.ONE);
#else
  let sum = prevent_fp64_optimization(a + b);
  let err = prevent_fp64_optimization(b - (sum - a));
#endif
  return vec2f(sum, err);
}

fn twoSum(a: f32, b: f32) -> vec2f {
  let s = prevent_fp64_optimization(a + b);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let v = prevent_fp64_optimization((s * fp64arithmetic.ONE - a) * fp64arithmetic.ONE);
  let err =
    prevent_fp64_optimization((a - (s - v) * fp64arithmetic.ONE) *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE) +
    prevent_fp64_optimization(b - v);
#else
  let v = prevent_fp64_optimization(s - a);
  let err = prevent_fp64_optimization(a - (s - v)) + prevent_fp64_optimization(b - v);
#endif
  return vec2f(s, err);
}

fn twoSub(a: f32, b: f32) -> vec2f {
  let s = prevent_fp64_optimization(a - b);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let v = prevent_fp64_optimization((s * fp64arithmetic.ONE - a) * fp64arithmetic.ONE);
  let err =
    prevent_fp64_optimization((a - (s - v) * fp64arithmetic.ONE) *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE *
      fp64arithmetic.ONE) -
    prevent_fp64_optimization(b + v);
#else
  let v = prevent_fp64_optimization(s - a);
  let err = prevent_fp64_optimization(a - (s - v)) - prevent_fp64_optimization(b + v);
#endif
  return vec2f(s, err);
}

fn twoSqr(a: f32) -> vec2f {
  let prod = prevent_fp64_optimization(a * a);
  let aFp64 = split(a);
  let highProduct = prevent_fp64_optimization(aFp64.x * aFp64.x);
  let crossProduct = prevent_fp64_optimization(2.0 * aFp64.x * aFp64.y);
  let lowProduct = prevent_fp64_optimization(aFp64.y * aFp64.y);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let err =
    (prevent_fp64_optimization(highProduct - prod) * fp64arithmetic.ONE +
      crossProduct * fp64arithmetic.ONE * fp64arithmetic.ONE) +
    lowProduct * fp64arithmetic.ONE * fp64arithmetic.ONE * fp64arithmetic.ONE;
#else
  let err = ((prevent_fp64_optimization(highProduct - prod) + crossProduct) + lowProduct);
#endif
  return vec2f(prod, err);
}

fn twoProd(a: f32, b: f32) -> vec2f {
  let prod = prevent_fp64_optimization(a * b);
  let aFp64 = split(a);
  let bFp64 = split(b);
  let highProduct = prevent_fp64_optimization(aFp64.x * bFp64.x);
  let crossProduct1 = prevent_fp64_optimization(aFp64.x * bFp64.y);
  let crossProduct2 = prevent_fp64_optimization(aFp64.y * bFp64.x);
  let lowProduct = prevent_fp64_optimization(aFp64.y * bFp64.y);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let err1 = (highProduct - prod) * fp64arithmetic.ONE;
  let err2 = crossProduct1 * fp64arithmetic.ONE * fp64arithmetic.ONE;
  let err3 = crossProduct2 * fp64arithmetic.ONE * fp64arithmetic.ONE * fp64arithmetic.ONE;
  let err4 =
    lowProduct *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE *
    fp64arithmetic.ONE;
#else
  let err1 = highProduct - prod;
  let err2 = crossProduct1;
  let err3 = crossProduct2;
  let err4 = lowProduct;
#endif
  let err12InputA = prevent_fp64_optimization(err1);
  let err12InputB = prevent_fp64_optimization(err2);
  let err12 = prevent_fp64_optimization(err12InputA + err12InputB);
  let err123InputA = prevent_fp64_optimization(err12);
  let err123InputB = prevent_fp64_optimization(err3);
  let err123 = prevent_fp64_optimization(err123InputA + err123InputB);
  let err1234InputA = prevent_fp64_optimization(err123);
  let err1234InputB = prevent_fp64_optimization(err4);
  let err = prevent_fp64_optimization(err1234InputA + err1234InputB);
  return vec2f(prod, err);
}

fn sum_fp64(a: vec2f, b: vec2f) -> vec2f {
  var s = twoSum(a.x, b.x);
  let t = twoSum(a.y, b.y);
  s.y = prevent_fp64_optimization(s.y + t.x);
  s = quickTwoSum(s.x, s.y);
  s.y = prevent_fp64_optimization(s.y + t.y);
  s = quickTwoSum(s.x, s.y);
  return s;
}

fn sub_fp64(a: vec2f, b: vec2f) -> vec2f {
  var s = twoSub(a.x, b.x);
  let t = twoSub(a.y, b.y);
  s.y = prevent_fp64_optimization(s.y + t.x);
  s = quickTwoSum(s.x, s.y);
  s.y = prevent_fp64_optimization(s.y + t.y);
  s = quickTwoSum(s.x, s.y);
  return s;
}

fn mul_fp64(a: vec2f, b: vec2f) -> vec2f {
  var prod = twoProd(a.x, b.x);
  let crossProduct1 = prevent_fp64_optimization(a.x * b.y);
  prod.y = prevent_fp64_optimization(prod.y + crossProduct1);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  let crossProduct2 = prevent_fp64_optimization(a.y * b.x);
  prod.y = prevent_fp64_optimization(prod.y + crossProduct2);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  prod = split2(prod);
#endif
  prod = quickTwoSum(prod.x, prod.y);
  return prod;
}

#ifndef LUMA_FP64_PREDICATE_ONLY
fn div_fp64(a: vec2f, b: vec2f) -> vec2f {
  let xn = prevent_fp64_optimization(1.0 / b.x);
  let yn = mul_fp64(a, vec2f(xn, fp64_runtime_zero()));
  let diff = prevent_fp64_optimization(sub_fp64(a, mul_fp64(b, yn)).x);
  let prod = twoProd(xn, diff);
  return sum_fp64(yn, prod);
}

fn sqrt_fp64(a: vec2f) -> vec2f {
  if (a.x == 0.0 && a.y == 0.0) {
    return vec2f(0.0, 0.0);
  }
  if (a.x < 0.0) {
    let nanValue = fp64_nan(a.x);
    return vec2f(nanValue, nanValue);
  }

  let x = prevent_fp64_optimization(1.0 / sqrt(a.x));
  let yn = prevent_fp64_optimization(a.x * x);
#ifdef LUMA_FP64_CODE_ELIMINATION_WORKAROUND
  let ynSqr = twoSqr(yn) * fp64arithmetic.ONE;
#else
  let ynSqr = twoSqr(yn);
#endif
  let diff = prevent_fp64_optimization(sub_fp64(a, ynSqr).x);
  let prod = twoProd(prevent_fp64_optimization(x * 0.5), diff);
#ifdef LUMA_FP64_HIGH_BITS_OVERFLOW_WORKAROUND
  return sum_fp64(split(yn), prod);
#else
  return sum_fp64(vec2f(yn, 0.0), prod);
#endif
}
#endif
#endif

#ifndef LUMA_FP64_PREDICATE_ONLY
fn fp64_f32_bits_is_nan(bits: u32) -> bool {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}

fn fp64_f32_bits_is_inf(bits: u32) -> bool {
  return (bits & 0x7fffffffu) == 0x7f800000u;
}

fn fp64_compare_f32_bits(aBits: u32, bBits: u32) -> i32 {
  let aMagnitude = aBits & 0x7fffffffu;
  let bMagnitude = bBits & 0x7fffffffu;
  if (aMagnitude == 0u && bMagnitude == 0u) {
    return 0;
  }
  let aSign = aBits >> 31u;
  let bSign = bBits >> 31u;
  if (aSign != bSign) {
    return select(1, -1, aSign == 1u);
  }
  if (aMagnitude == bMagnitude) {
    return 0;
  }
  let magnitudeComparison = select(-1, 1, aMagnitude > bMagnitude);
  return select(magnitudeComparison, -magnitudeComparison, aSign == 1u);
}

// Normalize an arbitrary pair of finite f32 limbs with integer accumulation.
// This is independent of LUMA_FP64_INTEGER_ARITHMETIC and canonicalizes every
// representation of zero to vec2f(+0.0, +0.0).
fn normalize_fp64(value: vec2f) -> vec2f {
  let resultBits = fp64_add_raw_f32_bits(bitcast<u32>(value.x), bitcast<u32>(value.y));
  return vec2f(bitcast<f32>(resultBits.x), bitcast<f32>(resultBits.y));
}

fn is_nan_fp64(value: vec2f) -> bool {
  let normalized = normalize_fp64(value);
  return fp64_f32_bits_is_nan(bitcast<u32>(normalized.x)) ||
    fp64_f32_bits_is_nan(bitcast<u32>(normalized.y));
}

fn is_finite_fp64(value: vec2f) -> bool {
  let normalized = normalize_fp64(value);
  let highBits = bitcast<u32>(normalized.x);
  let lowBits = bitcast<u32>(normalized.y);
  return !fp64_f32_bits_is_nan(highBits) && !fp64_f32_bits_is_nan(lowBits) &&
    !fp64_f32_bits_is_inf(highBits) && !fp64_f32_bits_is_inf(lowBits);
}

// Returns -1, 0, or 1. NaN is unordered and returns 0; call is_nan_fp64 or
// is_finite_fp64 first when 0 must mean a finite zero.
fn sign_fp64(value: vec2f) -> i32 {
  let normalized = normalize_fp64(value);
  let highBits = bitcast<u32>(normalized.x);
  let lowBits = bitcast<u32>(normalized.y);
  if (fp64_f32_bits_is_nan(highBits) || fp64_f32_bits_is_nan(lowBits)) {
    return 0;
  }
  if ((highBits & 0x7fffffffu) != 0u) {
    return select(1, -1, (highBits >> 31u) == 1u);
  }
  if ((lowBits & 0x7fffffffu) != 0u) {
    return select(1, -1, (lowBits >> 31u) == 1u);
  }
  return 0;
}

// Compares double-single values and returns -1, 0, or 1. NaN is unordered
// and returns 0; callers that require equality semantics must first check
// is_nan_fp64 or is_finite_fp64.
fn compare_fp64(a: vec2f, b: vec2f) -> i32 {
  let normalizedA = normalize_fp64(a);
  let normalizedB = normalize_fp64(b);
  let aHighBits = bitcast<u32>(normalizedA.x);
  let aLowBits = bitcast<u32>(normalizedA.y);
  let bHighBits = bitcast<u32>(normalizedB.x);
  let bLowBits = bitcast<u32>(normalizedB.y);
  if (fp64_f32_bits_is_nan(aHighBits) || fp64_f32_bits_is_nan(aLowBits) ||
      fp64_f32_bits_is_nan(bHighBits) || fp64_f32_bits_is_nan(bLowBits)) {
    return 0;
  }
  let highComparison = fp64_compare_f32_bits(aHighBits, bHighBits);
  if (highComparison != 0) {
    return highComparison;
  }
  return fp64_compare_f32_bits(aLowBits, bLowBits);
}
#endif
`,fs:hd,vs:hd,defaultUniforms:{ONE:1,SPLIT:4097},uniformTypes:{ONE:`f32`,SPLIT:`f32`},fp64ify:ld,fp64LowPart:ud,fp64ifyMatrix4:dd},_d={RGBA8UNORM:0,RGBA16FLOAT:1,RGBA32FLOAT:2},vd={rgba8unorm:4,rgba16float:8,rgba32float:16};_d.RGBA8UNORM,_d.RGBA16FLOAT,_d.RGBA32FLOAT,_d.RGBA8UNORM,_d.RGBA16FLOAT,_d.RGBA32FLOAT;var yd={useByteColors:`f32`},bd={useByteColors:!0};_d.RGBA8UNORM,vd.rgba8unorm/Uint32Array.BYTES_PER_ELEMENT,Cd(`colors`);var xd=Cd(`floatColors`);wd(`colors`);var Sd=wd(`floatColors`);`${_d.RGBA8UNORM}${_d.RGBA16FLOAT}`;function Cd(e){return`\
layout(std140) uniform ${e}Uniforms {
  float useByteColors;
} ${e};

vec3 ${e}_normalize(vec3 inputColor) {
  return ${e}.useByteColors > 0.5 ? inputColor / 255.0 : inputColor;
}

vec4 ${e}_normalize(vec4 inputColor) {
  return ${e}.useByteColors > 0.5 ? inputColor / 255.0 : inputColor;
}

vec4 ${e}_premultiplyAlpha(vec4 inputColor) {
  return vec4(inputColor.rgb * inputColor.a, inputColor.a);
}

vec4 ${e}_unpremultiplyAlpha(vec4 inputColor) {
  return inputColor.a > 0.0 ? vec4(inputColor.rgb / inputColor.a, inputColor.a) : vec4(0.0);
}

vec4 ${e}_premultiply_alpha(vec4 inputColor) {
  return ${e}_premultiplyAlpha(inputColor);
}

vec4 ${e}_unpremultiply_alpha(vec4 inputColor) {
  return ${e}_unpremultiplyAlpha(inputColor);
}
`}function wd(e){return`\
struct ${e}Uniforms {
  useByteColors: f32
};

@group(0) @binding(auto) var<uniform> ${e} : ${e}Uniforms;

fn ${e}_normalize(inputColor: vec3<f32>) -> vec3<f32> {
  return select(inputColor, inputColor / 255.0, ${e}.useByteColors > 0.5);
}

fn ${e}_normalize4(inputColor: vec4<f32>) -> vec4<f32> {
  return select(inputColor, inputColor / 255.0, ${e}.useByteColors > 0.5);
}

fn ${e}_premultiplyAlpha(inputColor: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(inputColor.rgb * inputColor.a, inputColor.a);
}

fn ${e}_unpremultiplyAlpha(inputColor: vec4<f32>) -> vec4<f32> {
  return select(
    vec4<f32>(0.0),
    vec4<f32>(inputColor.rgb / inputColor.a, inputColor.a),
    inputColor.a > 0.0
  );
}

fn ${e}_premultiply_alpha(inputColor: vec4<f32>) -> vec4<f32> {
  return ${e}_premultiplyAlpha(inputColor);
}

fn ${e}_unpremultiply_alpha(inputColor: vec4<f32>) -> vec4<f32> {
  return ${e}_unpremultiplyAlpha(inputColor);
}
`}var Td={name:`floatColors`,props:{},uniforms:{},vs:xd,fs:xd,source:Sd,uniformTypes:yd,defaultUniforms:bd},Ed={props:{},uniforms:{},name:`picking`,uniformTypes:{isActive:`f32`,isAttribute:`f32`,isHighlightActive:`f32`,useByteColors:`f32`,highlightedObjectColor:`vec3<f32>`,highlightColor:`vec4<f32>`},defaultUniforms:{isActive:!1,isAttribute:!1,isHighlightActive:!1,useByteColors:!0,highlightedObjectColor:[0,0,0],highlightColor:[0,1,1,1]},vs:`layout(std140) uniform pickingUniforms {
  float isActive;
  float isAttribute;
  float isHighlightActive;
  float useByteColors;
  vec3 highlightedObjectColor;
  vec4 highlightColor;
} picking;

out vec4 picking_vRGBcolor_Avalid;

// Normalize unsigned byte color to 0-1 range
vec3 picking_normalizeColor(vec3 color) {
  return picking.useByteColors > 0.5 ? color / 255.0 : color;
}

// Normalize unsigned byte color to 0-1 range
vec4 picking_normalizeColor(vec4 color) {
  return picking.useByteColors > 0.5 ? color / 255.0 : color;
}

bool picking_isColorZero(vec3 color) {
  return dot(color, vec3(1.0)) < 0.00001;
}

bool picking_isColorValid(vec3 color) {
  return dot(color, vec3(1.0)) > 0.00001;
}

// Check if this vertex is highlighted 
bool isVertexHighlighted(vec3 vertexColor) {
  vec3 highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
  return
    bool(picking.isHighlightActive) && picking_isColorZero(abs(vertexColor - highlightedObjectColor));
}

// Set the current picking color
void picking_setPickingColor(vec3 pickingColor) {
  pickingColor = picking_normalizeColor(pickingColor);

  if (bool(picking.isActive)) {
    // Use alpha as the validity flag. If pickingColor is [0, 0, 0] fragment is non-pickable
    picking_vRGBcolor_Avalid.a = float(picking_isColorValid(pickingColor));

    if (!bool(picking.isAttribute)) {
      // Stores the picking color so that the fragment shader can render it during picking
      picking_vRGBcolor_Avalid.rgb = pickingColor;
    }
  } else {
    // Do the comparison with selected item color in vertex shader as it should mean fewer compares
    picking_vRGBcolor_Avalid.a = float(isVertexHighlighted(pickingColor));
  }
}

void picking_setPickingAttribute(float value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.r = value;
  }
}

void picking_setPickingAttribute(vec2 value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.rg = value;
  }
}

void picking_setPickingAttribute(vec3 value) {
  if (bool(picking.isAttribute)) {
    picking_vRGBcolor_Avalid.rgb = value;
  }
}
`,fs:`layout(std140) uniform pickingUniforms {
  float isActive;
  float isAttribute;
  float isHighlightActive;
  float useByteColors;
  vec3 highlightedObjectColor;
  vec4 highlightColor;
} picking;

in vec4 picking_vRGBcolor_Avalid;

/*
 * Returns highlight color if this item is selected.
 */
vec4 picking_filterHighlightColor(vec4 color) {
  // If we are still picking, we don't highlight
  if (picking.isActive > 0.5) {
    return color;
  }

  bool selected = bool(picking_vRGBcolor_Avalid.a);

  if (selected) {
    // Blend in highlight color based on its alpha value
    float highLightAlpha = picking.highlightColor.a;
    float blendedAlpha = highLightAlpha + color.a * (1.0 - highLightAlpha);
    float highLightRatio = highLightAlpha / blendedAlpha;

    vec3 blendedRGB = mix(color.rgb, picking.highlightColor.rgb, highLightRatio);
    return vec4(blendedRGB, blendedAlpha);
  } else {
    return color;
  }
}

/*
 * Returns picking color if picking enabled else unmodified argument.
 */
vec4 picking_filterPickingColor(vec4 color) {
  if (bool(picking.isActive)) {
    if (picking_vRGBcolor_Avalid.a == 0.0) {
      discard;
    }
    return picking_vRGBcolor_Avalid;
  }
  return color;
}

/*
 * Returns picking color if picking is enabled if not
 * highlight color if this item is selected, otherwise unmodified argument.
 */
vec4 picking_filterColor(vec4 color) {
  vec4 highlightColor = picking_filterHighlightColor(color);
  return picking_filterPickingColor(highlightColor);
}
`,getUniforms:Dd};function Dd(e={},t){let n={},r=fd(e.useByteColors,!0);return e.highlightedObjectColor===void 0||(e.highlightedObjectColor===null?n.isHighlightActive=!1:(n.isHighlightActive=!0,n.highlightedObjectColor=e.highlightedObjectColor.slice(0,3))),e.highlightColor&&(n.highlightColor=md(e.highlightColor,r)),e.isActive!==void 0&&(n.isActive=!!e.isActive,n.isAttribute=!!e.isAttribute),e.useByteColors!==void 0&&(n.useByteColors=!!e.useByteColors),n}var Od=`precision highp int;

// #if (defined(SHADER_TYPE_FRAGMENT) && defined(LIGHTING_FRAGMENT)) || (defined(SHADER_TYPE_VERTEX) && defined(LIGHTING_VERTEX))
struct AmbientLight {
  vec3 color;
};

struct PointLight {
  vec3 color;
  vec3 position;
  vec3 attenuation; // 2nd order x:Constant-y:Linear-z:Exponential
};

struct SpotLight {
  vec3 color;
  vec3 position;
  vec3 direction;
  vec3 attenuation;
  vec2 coneCos;
};

struct DirectionalLight {
  vec3 color;
  vec3 direction;
};

struct UniformLight {
  vec3 color;
  vec3 position;
  vec3 direction;
  vec3 attenuation;
  vec2 coneCos;
};

layout(std140) uniform lightingUniforms {
  int enabled;
  int directionalLightCount;
  int pointLightCount;
  int spotLightCount;
  vec3 ambientColor;
  UniformLight lights[5];
} lighting;

PointLight lighting_getPointLight(int index) {
  UniformLight light = lighting.lights[index];
  return PointLight(light.color, light.position, light.attenuation);
}

SpotLight lighting_getSpotLight(int index) {
  UniformLight light = lighting.lights[lighting.pointLightCount + index];
  return SpotLight(light.color, light.position, light.direction, light.attenuation, light.coneCos);
}

DirectionalLight lighting_getDirectionalLight(int index) {
  UniformLight light =
    lighting.lights[lighting.pointLightCount + lighting.spotLightCount + index];
  return DirectionalLight(light.color, light.direction);
}

float getPointLightAttenuation(PointLight pointLight, float distance) {
  return pointLight.attenuation.x
       + pointLight.attenuation.y * distance
       + pointLight.attenuation.z * distance * distance;
}

float getSpotLightAttenuation(SpotLight spotLight, vec3 positionWorldspace) {
  vec3 light_direction = normalize(positionWorldspace - spotLight.position);
  float coneFactor = smoothstep(
    spotLight.coneCos.y,
    spotLight.coneCos.x,
    dot(normalize(spotLight.direction), light_direction)
  );
  float distanceAttenuation = getPointLightAttenuation(
    PointLight(spotLight.color, spotLight.position, spotLight.attenuation),
    distance(spotLight.position, positionWorldspace)
  );
  return distanceAttenuation / max(coneFactor, 0.0001);
}

// #endif
`,kd=`// #if (defined(SHADER_TYPE_FRAGMENT) && defined(LIGHTING_FRAGMENT)) || (defined(SHADER_TYPE_VERTEX) && defined(LIGHTING_VERTEX))
const MAX_LIGHTS: i32 = 5;

struct AmbientLight {
  color: vec3<f32>,
};

struct PointLight {
  color: vec3<f32>,
  position: vec3<f32>,
  attenuation: vec3<f32>, // 2nd order x:Constant-y:Linear-z:Exponential
};

struct SpotLight {
  color: vec3<f32>,
  position: vec3<f32>,
  direction: vec3<f32>,
  attenuation: vec3<f32>,
  coneCos: vec2<f32>,
};

struct DirectionalLight {
  color: vec3<f32>,
  direction: vec3<f32>,
};

struct UniformLight {
  color: vec3<f32>,
  position: vec3<f32>,
  direction: vec3<f32>,
  attenuation: vec3<f32>,
  coneCos: vec2<f32>,
};

struct lightingUniforms {
  enabled: i32,
  directionalLightCount: i32,
  pointLightCount: i32,
  spotLightCount: i32,
  ambientColor: vec3<f32>,
  lights: array<UniformLight, 5>,
};

@group(2) @binding(auto) var<uniform> lighting : lightingUniforms;

fn lighting_getPointLight(index: i32) -> PointLight {
  let light = lighting.lights[index];
  return PointLight(light.color, light.position, light.attenuation);
}

fn lighting_getSpotLight(index: i32) -> SpotLight {
  let light = lighting.lights[lighting.pointLightCount + index];
  return SpotLight(light.color, light.position, light.direction, light.attenuation, light.coneCos);
}

fn lighting_getDirectionalLight(index: i32) -> DirectionalLight {
  let light = lighting.lights[lighting.pointLightCount + lighting.spotLightCount + index];
  return DirectionalLight(light.color, light.direction);
}

fn getPointLightAttenuation(pointLight: PointLight, distance: f32) -> f32 {
  return pointLight.attenuation.x
       + pointLight.attenuation.y * distance
       + pointLight.attenuation.z * distance * distance;
}

fn getSpotLightAttenuation(spotLight: SpotLight, positionWorldspace: vec3<f32>) -> f32 {
  let lightDirection = normalize(positionWorldspace - spotLight.position);
  let coneFactor = smoothstep(
    spotLight.coneCos.y,
    spotLight.coneCos.x,
    dot(normalize(spotLight.direction), lightDirection)
  );
  let distanceAttenuation = getPointLightAttenuation(
    PointLight(spotLight.color, spotLight.position, spotLight.attenuation),
    distance(spotLight.position, positionWorldspace)
  );
  return distanceAttenuation / max(coneFactor, 0.0001);
}
`,Ad=5,jd={props:{},uniforms:{},name:`lighting`,defines:{},uniformTypes:{enabled:`i32`,directionalLightCount:`i32`,pointLightCount:`i32`,spotLightCount:`i32`,ambientColor:`vec3<f32>`,lights:[{color:`vec3<f32>`,position:`vec3<f32>`,direction:`vec3<f32>`,attenuation:`vec3<f32>`,coneCos:`vec2<f32>`},Ad]},defaultUniforms:Id(),bindingLayout:[{name:`lighting`,group:2}],firstBindingSlot:0,source:kd,vs:Od,fs:Od,getUniforms:Md};function Md(e,t={}){if(e&&={...e},!e)return Id();e.lights&&(e={...e,...Pd(e.lights),lights:void 0});let{useByteColors:n,ambientLight:r,pointLights:i,spotLights:a,directionalLights:o}=e||{};if(!(r||i&&i.length>0||a&&a.length>0||o&&o.length>0))return{...Id(),enabled:0};let s={...Id(),...Nd({useByteColors:n,ambientLight:r,pointLights:i,spotLights:a,directionalLights:o})};return e.enabled!==void 0&&(s.enabled=+!!e.enabled),s}function Nd({useByteColors:e,ambientLight:t,pointLights:n=[],spotLights:r=[],directionalLights:a=[]}){let o=Ld(),s=0,c=0,l=0,u=0;for(let t of n){if(s>=Ad)break;o[s]={...o[s],color:Fd(t,e),position:t.position,attenuation:t.attenuation||[1,0,0]},s++,c++}for(let t of r){if(s>=Ad)break;o[s]={...o[s],color:Fd(t,e),position:t.position,direction:t.direction,attenuation:t.attenuation||[1,0,0],coneCos:zd(t)},s++,l++}for(let t of a){if(s>=Ad)break;o[s]={...o[s],color:Fd(t,e),direction:t.direction},s++,u++}return n.length+r.length+a.length>Ad&&i.warn(`MAX_LIGHTS exceeded, truncating to ${Ad}`)(),{ambientColor:Fd(t,e),directionalLightCount:u,pointLightCount:c,spotLightCount:l,lights:o}}function Pd(e){let t={pointLights:[],spotLights:[],directionalLights:[]};for(let n of e||[])switch(n.type){case`ambient`:t.ambientLight=n;break;case`directional`:t.directionalLights?.push(n);break;case`point`:t.pointLights?.push(n);break;case`spot`:t.spotLights?.push(n)}return t}function Fd(e={},t){let{color:n=[0,0,0],intensity:r=1}=e;return pd(n,fd(t,!0)).map(e=>e*r)}function Id(){return{enabled:1,directionalLightCount:0,pointLightCount:0,spotLightCount:0,ambientColor:[.1,.1,.1],lights:Ld()}}function Ld(){return Array.from({length:Ad},()=>Rd())}function Rd(){return{color:[1,1,1],position:[1,1,2],direction:[1,1,1],attenuation:[1,0,0],coneCos:[1,0]}}function zd(e){let t=e.innerConeAngle??0,n=e.outerConeAngle??Math.PI/4;return[Math.cos(t),Math.cos(n)]}var Bd={props:{},name:`gouraudMaterial`,bindingLayout:[{name:`gouraudMaterial`,group:3}],vs:`layout(std140) uniform gouraudMaterialUniforms {
  uniform bool unlit;
  uniform float ambient;
  uniform float diffuse;
  uniform float shininess;
  uniform vec3  specularColor;
} material;

vec3 lighting_getLightColor(vec3 surfaceColor, vec3 light_direction, vec3 view_direction, vec3 normal_worldspace, vec3 color) {
  vec3 halfway_direction = normalize(light_direction + view_direction);
  float lambertian = dot(light_direction, normal_worldspace);
  float specular = 0.0;
  if (lambertian > 0.0) {
    float specular_angle = max(dot(normal_worldspace, halfway_direction), 0.0);
    specular = pow(specular_angle, material.shininess);
  }
  lambertian = max(lambertian, 0.0);
  return (lambertian * material.diffuse * surfaceColor + specular * floatColors_normalize(material.specularColor)) * color;
}

vec3 lighting_getLightColor(vec3 surfaceColor, vec3 cameraPosition, vec3 position_worldspace, vec3 normal_worldspace) {
  vec3 lightColor = surfaceColor;

  if (material.unlit) {
    return surfaceColor;
  }

  if (lighting.enabled == 0) {
    return lightColor;
  }

  vec3 view_direction = normalize(cameraPosition - position_worldspace);
  lightColor = material.ambient * surfaceColor * lighting.ambientColor;

  for (int i = 0; i < lighting.pointLightCount; i++) {
    PointLight pointLight = lighting_getPointLight(i);
    vec3 light_position_worldspace = pointLight.position;
    vec3 light_direction = normalize(light_position_worldspace - position_worldspace);
    float light_attenuation = getPointLightAttenuation(pointLight, distance(light_position_worldspace, position_worldspace));
    lightColor += lighting_getLightColor(surfaceColor, light_direction, view_direction, normal_worldspace, pointLight.color / light_attenuation);
  }

  for (int i = 0; i < lighting.spotLightCount; i++) {
    SpotLight spotLight = lighting_getSpotLight(i);
    vec3 light_position_worldspace = spotLight.position;
    vec3 light_direction = normalize(light_position_worldspace - position_worldspace);
    float light_attenuation = getSpotLightAttenuation(spotLight, position_worldspace);
    lightColor += lighting_getLightColor(surfaceColor, light_direction, view_direction, normal_worldspace, spotLight.color / light_attenuation);
  }

  for (int i = 0; i < lighting.directionalLightCount; i++) {
    DirectionalLight directionalLight = lighting_getDirectionalLight(i);
    lightColor += lighting_getLightColor(surfaceColor, -directionalLight.direction, view_direction, normal_worldspace, directionalLight.color);
  }
  
  return lightColor;
}
`,fs:`layout(std140) uniform gouraudMaterialUniforms {
  uniform bool unlit;
  uniform float ambient;
  uniform float diffuse;
  uniform float shininess;
  uniform vec3  specularColor;
} material;
`,source:`struct gouraudMaterialUniforms {
  unlit: u32,
  ambient: f32,
  diffuse: f32,
  shininess: f32,
  specularColor: vec3<f32>,
};

@group(3) @binding(auto) var<uniform> gouraudMaterial : gouraudMaterialUniforms;

fn lighting_getLightColor(surfaceColor: vec3<f32>, light_direction: vec3<f32>, view_direction: vec3<f32>, normal_worldspace: vec3<f32>, color: vec3<f32>) -> vec3<f32> {
  let halfway_direction: vec3<f32> = normalize(light_direction + view_direction);
  var lambertian: f32 = dot(light_direction, normal_worldspace);
  var specular: f32 = 0.0;
  if (lambertian > 0.0) {
    let specular_angle = max(dot(normal_worldspace, halfway_direction), 0.0);
    specular = pow(specular_angle, gouraudMaterial.shininess);
  }
  lambertian = max(lambertian, 0.0);
  return (
    lambertian * gouraudMaterial.diffuse * surfaceColor +
    specular * floatColors_normalize(gouraudMaterial.specularColor)
  ) * color;
}

fn lighting_getLightColor2(surfaceColor: vec3<f32>, cameraPosition: vec3<f32>, position_worldspace: vec3<f32>, normal_worldspace: vec3<f32>) -> vec3<f32> {
  var lightColor: vec3<f32> = surfaceColor;

  if (gouraudMaterial.unlit != 0u) {
    return surfaceColor;
  }

  if (lighting.enabled == 0) {
    return lightColor;
  }

  let view_direction: vec3<f32> = normalize(cameraPosition - position_worldspace);
  lightColor = gouraudMaterial.ambient * surfaceColor * lighting.ambientColor;

  for (var i: i32 = 0; i < lighting.pointLightCount; i++) {
    let pointLight: PointLight = lighting_getPointLight(i);
    let light_position_worldspace: vec3<f32> = pointLight.position;
    let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
    let light_attenuation = getPointLightAttenuation(
      pointLight,
      distance(light_position_worldspace, position_worldspace)
    );
    lightColor += lighting_getLightColor(
      surfaceColor,
      light_direction,
      view_direction,
      normal_worldspace,
      pointLight.color / light_attenuation
    );
  }

  for (var i: i32 = 0; i < lighting.spotLightCount; i++) {
    let spotLight: SpotLight = lighting_getSpotLight(i);
    let light_position_worldspace: vec3<f32> = spotLight.position;
    let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
    let light_attenuation = getSpotLightAttenuation(spotLight, position_worldspace);
    lightColor += lighting_getLightColor(
      surfaceColor,
      light_direction,
      view_direction,
      normal_worldspace,
      spotLight.color / light_attenuation
    );
  }

  for (var i: i32 = 0; i < lighting.directionalLightCount; i++) {
    let directionalLight: DirectionalLight = lighting_getDirectionalLight(i);
    lightColor += lighting_getLightColor(surfaceColor, -directionalLight.direction, view_direction, normal_worldspace, directionalLight.color);
  }  
  
  return lightColor;
}

fn lighting_getSpecularLightColor(cameraPosition: vec3<f32>, position_worldspace: vec3<f32>, normal_worldspace: vec3<f32>) -> vec3<f32>{
  var lightColor = vec3<f32>(0, 0, 0);
  let surfaceColor = vec3<f32>(0, 0, 0);

  if (lighting.enabled != 0) {
    let view_direction = normalize(cameraPosition - position_worldspace);

    for (var i: i32 = 0; i < lighting.pointLightCount; i++) {
      let pointLight: PointLight = lighting_getPointLight(i);
      let light_position_worldspace: vec3<f32> = pointLight.position;
      let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
      let light_attenuation = getPointLightAttenuation(
        pointLight,
        distance(light_position_worldspace, position_worldspace)
      );
      lightColor += lighting_getLightColor(
        surfaceColor,
        light_direction,
        view_direction,
        normal_worldspace,
        pointLight.color / light_attenuation
      );
    }

    for (var i: i32 = 0; i < lighting.spotLightCount; i++) {
      let spotLight: SpotLight = lighting_getSpotLight(i);
      let light_position_worldspace: vec3<f32> = spotLight.position;
      let light_direction: vec3<f32> = normalize(light_position_worldspace - position_worldspace);
      let light_attenuation = getSpotLightAttenuation(spotLight, position_worldspace);
      lightColor += lighting_getLightColor(
        surfaceColor,
        light_direction,
        view_direction,
        normal_worldspace,
        spotLight.color / light_attenuation
      );
    }

    for (var i: i32 = 0; i < lighting.directionalLightCount; i++) {
        let directionalLight: DirectionalLight = lighting_getDirectionalLight(i);
        lightColor += lighting_getLightColor(surfaceColor, -directionalLight.direction, view_direction, normal_worldspace, directionalLight.color);
    }
  }
  return lightColor;
}
`,defines:{LIGHTING_VERTEX:!0},dependencies:[jd,Td],uniformTypes:{unlit:`i32`,ambient:`f32`,diffuse:`f32`,shininess:`f32`,specularColor:`vec3<f32>`},defaultUniforms:{unlit:!1,ambient:.35,diffuse:.6,shininess:32,specularColor:[38.25,38.25,38.25]},getUniforms(e){return{...Bd.defaultUniforms,...e}}},Vd=`struct LayerUniforms {
  opacity: f32,
};

@group(0) @binding(auto)
var<uniform> layer: LayerUniforms;
`,Hd=`layout(std140) uniform layerUniforms {
  uniform float opacity;
} layer;
`,Ud={name:`layer`,source:Vd,vs:Hd,fs:Hd,getUniforms:e=>({opacity:e.opacity**(1/2.2)}),uniformTypes:{opacity:`f32`}},Wd={name:`color`,dependencies:[],source:`

@must_use
fn deckgl_premultiplied_alpha(fragColor: vec4<f32>) -> vec4<f32> {
    return vec4(fragColor.rgb * fragColor.a, fragColor.a); 
};
`,getUniforms:e=>({})},Gd=`const SMOOTH_EDGE_RADIUS: f32 = 0.5;

struct VertexGeometry {
  position: vec4<f32>,
  worldPosition: vec3<f32>,
  worldPositionAlt: vec3<f32>,
  normal: vec3<f32>,
  uv: vec2<f32>,
  pickingColor: vec3<f32>,
};

var<private> geometry_: VertexGeometry = VertexGeometry(
  vec4<f32>(0.0, 0.0, 1.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0),
  vec2<f32>(0.0, 0.0),
  vec3<f32>(0.0, 0.0, 0.0)
);

struct FragmentGeometry {
  uv: vec2<f32>,
};

var<private> fragmentGeometry: FragmentGeometry;

fn smoothedge(edge: f32, x: f32) -> f32 {
  return smoothstep(edge - SMOOTH_EDGE_RADIUS, edge + SMOOTH_EDGE_RADIUS, x);
}
`,Kd=`#define SMOOTH_EDGE_RADIUS 0.5`,qd={name:`geometry`,source:Gd,vs:`\
${Kd}

struct VertexGeometry {
  vec4 position;
  vec3 worldPosition;
  vec3 worldPositionAlt;
  vec3 normal;
  vec2 uv;
  vec3 pickingColor;
} geometry = VertexGeometry(
  vec4(0.0, 0.0, 1.0, 0.0),
  vec3(0.0),
  vec3(0.0),
  vec3(0.0),
  vec2(0.0),
  vec3(0.0)
);
`,fs:`\
${Kd}

struct FragmentGeometry {
  vec2 uv;
};
FragmentGeometry geometry;

float smoothedge(float edge, float x) {
  return smoothstep(edge - SMOOTH_EDGE_RADIUS, edge + SMOOTH_EDGE_RADIUS, x);
}
`},q;(function(e){e[e.Start=1]=`Start`,e[e.Move=2]=`Move`,e[e.End=4]=`End`,e[e.Cancel=8]=`Cancel`})(q||={});var Jd;(function(e){e[e.None=0]=`None`,e[e.Left=1]=`Left`,e[e.Right=2]=`Right`,e[e.Up=4]=`Up`,e[e.Down=8]=`Down`,e[e.Horizontal=3]=`Horizontal`,e[e.Vertical=12]=`Vertical`,e[e.All=15]=`All`})(Jd||={});var J;(function(e){e[e.Possible=1]=`Possible`,e[e.Began=2]=`Began`,e[e.Changed=4]=`Changed`,e[e.Ended=8]=`Ended`,e[e.Recognized=8]=`Recognized`,e[e.Cancelled=16]=`Cancelled`,e[e.Failed=32]=`Failed`})(J||={});var Yd=`auto`,Xd=`manipulation`,Zd=`none`,Qd=`pan-x`,$d=`pan-y`;function ef(e){if(e.includes(`none`))return Zd;let t=e.includes(Qd),n=e.includes($d);return t&&n?Zd:t||n?t?Qd:$d:e.includes(`manipulation`)?Xd:Yd}var tf=class{constructor(e,t){this.actions=``,this.manager=e,this.set(t)}set(e){e===`compute`&&(e=this.compute()),this.manager.element&&(this.manager.element.style.touchAction=e,this.actions=e)}update(){this.set(this.manager.options.touchAction)}compute(){let e=[];for(let t of this.manager.recognizers)t.options.enable&&(e=e.concat(t.getTouchAction()));return ef(e.join(` `))}};function nf(e){return e.trim().split(/\s+/g)}function rf(e,t,n){if(e)for(let r of nf(t))e.addEventListener(r,n,!1)}function af(e,t,n){if(e)for(let r of nf(t))e.removeEventListener(r,n,!1)}function of(e){return(e.ownerDocument||e).defaultView}function sf(e,t){let n=e;for(;n;){if(n===t)return!0;n=n.parentNode}return!1}function cf(e){let t=e.length;if(t===1)return{x:Math.round(e[0].clientX),y:Math.round(e[0].clientY)};let n=0,r=0,i=0;for(;i<t;)n+=e[i].clientX,r+=e[i].clientY,i++;return{x:Math.round(n/t),y:Math.round(r/t)}}function lf(e){let t=[],n=0;for(;n<e.pointers.length;)t[n]={clientX:Math.round(e.pointers[n].clientX),clientY:Math.round(e.pointers[n].clientY)},n++;return{timeStamp:Date.now(),pointers:t,center:cf(t),deltaX:e.deltaX,deltaY:e.deltaY}}function uf(e,t){let n=t.x-e.x,r=t.y-e.y;return Math.sqrt(n*n+r*r)}function df(e,t){let n=t.clientX-e.clientX,r=t.clientY-e.clientY;return Math.sqrt(n*n+r*r)}function ff(e,t){let n=t.x-e.x,r=t.y-e.y;return Math.atan2(r,n)*180/Math.PI}function pf(e,t){let n=t.clientX-e.clientX,r=t.clientY-e.clientY;return Math.atan2(r,n)*180/Math.PI}function mf(e,t){return e===t?Jd.None:Math.abs(e)>=Math.abs(t)?e<0?Jd.Left:Jd.Right:t<0?Jd.Up:Jd.Down}function hf(e,t){let n=t.center,r=e.offsetDelta,i=e.prevDelta,a=e.prevInput;return(t.eventType===q.Start||a?.eventType===q.End)&&(i=e.prevDelta={x:a?.deltaX||0,y:a?.deltaY||0},r=e.offsetDelta={x:n.x,y:n.y}),{deltaX:i.x+(n.x-r.x),deltaY:i.y+(n.y-r.y)}}function gf(e,t,n){return{x:t/e||0,y:n/e||0}}function _f(e,t){return df(t[0],t[1])/df(e[0],e[1])}function vf(e,t){return pf(t[1],t[0])-pf(e[1],e[0])}function yf(e,t){let n=e.lastInterval||t,r=t.timeStamp-n.timeStamp,i,a,o,s;if(t.eventType!==q.Cancel&&(r>25||n.velocity===void 0)){let c=t.deltaX-n.deltaX,l=t.deltaY-n.deltaY,u=gf(r,c,l);a=u.x,o=u.y,i=Math.abs(u.x)>Math.abs(u.y)?u.x:u.y,s=mf(c,l),e.lastInterval=t}else i=n.velocity,a=n.velocityX,o=n.velocityY,s=n.direction;t.velocity=i,t.velocityX=a,t.velocityY=o,t.direction=s}function bf(e,t){return`pointerId`in e?e.pointerId:t}function xf(e,t){e.movementOrigin=new Map(t.map((e,t)=>[bf(e,t),{clientX:e.clientX,clientY:e.clientY}])),e.firstMovementTime=void 0}function Sf(e,t){let n=t.pointers.map(bf);if(e.movementOrigin?.size===n.length&&n.every(t=>e.movementOrigin.has(t))||xf(e,t.pointers),t.distancePerPointer=t.pointers.map((t,r)=>df(e.movementOrigin.get(n[r]),t)),t.eventType&q.Move&&t.distancePerPointer.some(e=>e>0)&&(e.firstMovementTime??=t.timeStamp),t.movementDeltaTime=e.firstMovementTime===void 0?0:t.timeStamp-e.firstMovementTime,t.eventType&(q.End|q.Cancel)){let r=t.changedPointers.map(e=>bf(e,t.pointers.indexOf(e)));xf(e,t.pointers.filter((e,t)=>!r.includes(n[t])))}}function Cf(e,t){let{session:n}=e,{pointers:r}=t,{length:i}=r;n.firstInput||=lf(t),i>1&&!n.firstMultiple?n.firstMultiple=lf(t):i===1&&(n.firstMultiple=!1);let{firstInput:a,firstMultiple:o}=n,s=o?o.center:a.center,c=t.center=cf(r);t.timeStamp=Date.now(),t.deltaTime=t.timeStamp-a.timeStamp,Sf(n,t),t.angle=ff(s,c),t.distance=uf(s,c);let{deltaX:l,deltaY:u}=hf(n,t);t.deltaX=l,t.deltaY=u,t.offsetDirection=mf(t.deltaX,t.deltaY);let d=gf(t.deltaTime,t.deltaX,t.deltaY);t.overallVelocityX=d.x,t.overallVelocityY=d.y,t.overallVelocity=Math.abs(d.x)>Math.abs(d.y)?d.x:d.y,t.scale=o?_f(o.pointers,r):1,t.rotation=o?vf(o.pointers,r):0,t.maxPointers=n.prevInput?t.pointers.length>n.prevInput.maxPointers?t.pointers.length:n.prevInput.maxPointers:t.pointers.length;let f=e.element;return sf(t.srcEvent.target,f)&&(f=t.srcEvent.target),t.target=f,yf(n,t),t}function wf(e,t,n){let r=n.pointers.length,i=n.changedPointers.length,a=t&q.Start&&r-i===0,o=t&(q.End|q.Cancel)&&r-i===0;n.isFirst=!!a,n.isFinal=!!o,a&&(e.session={}),n.eventType=t;let s=Cf(e,n);e.emit(`hammer.input`,s),e.recognize(s),e.session.prevInput=s}var Tf=class{constructor(e){this.evEl=``,this.evWin=``,this.evTarget=``,this.domHandler=e=>{this.manager.options.enable&&this.handler(e)},this.manager=e,this.element=e.element,this.target=e.options.inputTarget||e.element}callback(e,t){wf(this.manager,e,t)}init(){rf(this.element,this.evEl,this.domHandler),rf(this.target,this.evTarget,this.domHandler),rf(of(this.element),this.evWin,this.domHandler)}destroy(){af(this.element,this.evEl,this.domHandler),af(this.target,this.evTarget,this.domHandler),af(of(this.element),this.evWin,this.domHandler)}},Ef={pointerdown:q.Start,pointermove:q.Move,pointerup:q.End,pointercancel:q.Cancel,pointerout:q.Cancel},Df=`pointerdown`,Of=`pointermove pointerup pointercancel`,kf=class extends Tf{constructor(e){super(e),this.evEl=Df,this.evWin=Of,this.store=this.manager.session.pointerEvents=[],this.init()}handler(e){let{store:t}=this,n=!1,r=Ef[e.type],i=e.pointerType,a=i===`touch`,o=t.findIndex(t=>t.pointerId===e.pointerId);r&q.Start&&(e.buttons||a)?o<0&&(t.push(e),o=t.length-1):r&(q.End|q.Cancel)&&(n=!0),o<0||(t[o]=e,this.callback(r,{pointers:t,changedPointers:[e],eventType:r,pointerType:i,srcEvent:e}),n&&t.splice(o,1))}},Af=[``,`webkit`,`Moz`,`MS`,`ms`,`o`];function jf(e,t){let n=t[0].toUpperCase()+t.slice(1);for(let r of Af){let i=r?r+n:t;if(i in e)return i}}var Mf=1,Nf=2,Pf={touchAction:`compute`,enable:!0,inputTarget:null,cssProps:{userSelect:`none`,userDrag:`none`,touchCallout:`none`,tapHighlightColor:`rgba(0,0,0,0)`}},Ff=class{constructor(e,t){this.options={...Pf,...t,cssProps:{...Pf.cssProps,...t.cssProps},inputTarget:t.inputTarget||e},this.handlers={},this.session={},this.recognizers=[],this.oldCssProps={},this.element=e,this.input=new kf(this),this.touchAction=new tf(this,this.options.touchAction),this.toggleCssProps(!0)}set(e){return Object.assign(this.options,e),e.touchAction&&this.touchAction.update(),e.inputTarget&&(this.input.destroy(),this.input.target=e.inputTarget,this.input.init()),this}stop(e){this.session.stopped=e?Nf:Mf}recognize(e){let{session:t}=this;if(t.stopped)return;this.session.prevented&&e.srcEvent.preventDefault();let n,{recognizers:r}=this,{curRecognizer:i}=t;(!i||i&&i.state&J.Recognized)&&(i=t.curRecognizer=null);let a=0;for(;a<r.length;)n=r[a],t.stopped!==Nf&&(!i||n===i||n.canRecognizeWith(i))?n.recognize(e):n.reset(),!i&&n.state&(J.Began|J.Changed|J.Ended)&&(i=t.curRecognizer=n),a++}get(e){let{recognizers:t}=this;for(let n=0;n<t.length;n++)if(t[n].options.event===e)return t[n];return null}add(e){if(Array.isArray(e)){for(let t of e)this.add(t);return this}let t=this.get(e.options.event);return t&&this.remove(t),this.recognizers.push(e),e.manager=this,this.touchAction.update(),e}remove(e){if(Array.isArray(e)){for(let t of e)this.remove(t);return this}let t=typeof e==`string`?this.get(e):e;if(t){let{recognizers:e}=this,n=e.indexOf(t);n!==-1&&(e.splice(n,1),this.touchAction.update())}return this}on(e,t){if(!e||!t)return;let{handlers:n}=this;for(let r of nf(e))n[r]=n[r]||[],n[r].push(t)}off(e,t){if(!e)return;let{handlers:n}=this;for(let r of nf(e))t?n[r]&&n[r].splice(n[r].indexOf(t),1):delete n[r]}emit(e,t){let n=this.handlers[e]&&this.handlers[e].slice();if(!n||!n.length)return;let r=t;r.type=e,r.preventDefault=function(){t.srcEvent.preventDefault()};let i=0;for(;i<n.length;)n[i](r),i++}destroy(){this.toggleCssProps(!1),this.handlers={},this.session={},this.input.destroy(),this.element=null}toggleCssProps(e){let{element:t}=this;if(t){for(let[n,r]of Object.entries(this.options.cssProps)){let i=jf(t.style,n);e?(this.oldCssProps[i]=t.style[i],t.style[i]=r):t.style[i]=this.oldCssProps[i]||``}e||(this.oldCssProps={})}}},If=1;function Lf(){return If++}function Rf(e){return e&J.Cancelled?`cancel`:e&J.Ended?`end`:e&J.Changed?`move`:e&J.Began?`start`:``}var zf=class{constructor(e){this.options=e,this.id=Lf(),this.state=J.Possible,this.simultaneous={},this.requireFail=[]}set(e){return Object.assign(this.options,e),this.manager.touchAction.update(),this}recognizeWith(e){if(Array.isArray(e)){for(let t of e)this.recognizeWith(t);return this}let t;if(typeof e==`string`){if(t=this.manager.get(e),!t)throw Error(`Cannot find recognizer ${e}`)}else t=e;let{simultaneous:n}=this;return n[t.id]||(n[t.id]=t,t.recognizeWith(this)),this}dropRecognizeWith(e){if(Array.isArray(e)){for(let t of e)this.dropRecognizeWith(t);return this}let t;return t=typeof e==`string`?this.manager.get(e):e,t&&delete this.simultaneous[t.id],this}requireFailure(e){if(Array.isArray(e)){for(let t of e)this.requireFailure(t);return this}let t;if(typeof e==`string`){if(t=this.manager.get(e),!t)throw Error(`Cannot find recognizer ${e}`)}else t=e;let{requireFail:n}=this;return n.indexOf(t)===-1&&(n.push(t),t.requireFailure(this)),this}dropRequireFailure(e){if(Array.isArray(e)){for(let t of e)this.dropRequireFailure(t);return this}let t;if(t=typeof e==`string`?this.manager.get(e):e,t){let e=this.requireFail.indexOf(t);e>-1&&this.requireFail.splice(e,1)}return this}hasRequireFailures(){return!!this.requireFail.find(e=>e.options.enable)}canRecognizeWith(e){return!!this.simultaneous[e.id]}emit(e){if(!e)return;let{state:t}=this;t<J.Ended&&this.manager.emit(this.options.event+Rf(t),e),this.manager.emit(this.options.event,e),e.additionalEvent&&this.manager.emit(e.additionalEvent,e),t>=J.Ended&&this.manager.emit(this.options.event+Rf(t),e)}tryEmit(e){this.canEmit()?this.emit(e):this.state=J.Failed}canEmit(){let e=0;for(;e<this.requireFail.length;){if(!(this.requireFail[e].state&(J.Failed|J.Possible)))return!1;e++}return!0}recognize(e){let t={...e};this.options.enable?(this.state&(J.Recognized|J.Cancelled|J.Failed)&&(this.state=J.Possible),this.state=this.process(t),this.state&(J.Began|J.Changed|J.Ended|J.Cancelled)&&this.tryEmit(t)):(this.reset(),this.state=J.Failed)}getEventNames(){return[this.options.event]}reset(){}};function Bf(e){return Math.abs(((e+180)%360+360)%360-180)}function Vf(e,t){return(t.distance===void 0||e.distance>=t.distance)&&(t.distancePerPointer===void 0||e.distancePerPointer.length>0&&e.distancePerPointer.every(e=>e>=t.distancePerPointer))&&(t.movementDeltaTime===void 0||e.movementDeltaTime>=t.movementDeltaTime)&&(t.rotation===void 0||Bf(e.rotation)>=t.rotation)&&(t.scale===void 0||Math.abs(e.scale-1)>=t.scale)}var Hf=class extends zf{attrTest(e){let t=this.options.pointers;return t===0||e.pointers.length===t}coherentTest(e){let t=this.options.coherent;return!t?.length||t.some(t=>Vf(e,t))}process(e){let{state:t}=this,{eventType:n}=e,r=t&(J.Began|J.Changed),i=this.attrTest(e);return r&&(n&q.Cancel||!i)?t|J.Cancelled:r||i?n&q.End?t|J.Ended:t&J.Began?t|J.Changed:J.Began:J.Failed}},Uf=[``,`start`,`move`,`end`,`cancel`],Wf=class extends zf{constructor(e={}){super({enable:!0,event:`doubleclickdrag`,pointers:1,interval:500,time:350,threshold:28,dragThreshold:1,pixelsPerScale:120,...e}),this._tapStart=null,this._lastTap=null,this._drag=null,this._emittedStart=!1}getTouchAction(){return[Xd]}getEventNames(){return Uf.map(e=>this.options.event+e)}process(e){let{options:t}=this;return e.pointers.length===t.pointers?e.eventType&q.Start?this._handleStart(e):e.eventType&q.Move?this._handleMove(e):e.eventType&q.Cancel?this._handleEnd(e,!0):e.eventType&q.End?this._handleEnd(e,!1):J.Failed:(this.reset(),J.Failed)}reset(){this._tapStart=null,this._lastTap=null,this._drag=null,this._emittedStart=!1}emit(e){if(e){if(this.state===J.Began){if(!this._drag?.active||this._emittedStart)return;this._emittedStart=!0,this.manager.emit(`${this.options.event}start`,e),this.manager.emit(this.options.event,e)}else if(this.state===J.Changed){if(!this._emittedStart)return;this.manager.emit(`${this.options.event}move`,e),this.manager.emit(this.options.event,e)}else if(this.state===J.Ended){if(!this._emittedStart)return;this.manager.emit(this.options.event,e),this.manager.emit(`${this.options.event}end`,e),this._emittedStart=!1}else if(this.state===J.Cancelled){if(!this._emittedStart)return;this.manager.emit(this.options.event,e),this.manager.emit(`${this.options.event}cancel`,e),this._emittedStart=!1}}}_handleStart(e){let t=this._getPointerId(e);return this._lastTap&&this._isTapMatch(e,this._lastTap)?(this._tapStart=null,this._lastTap=null,this._drag={startCenter:e.center,pointerId:t,active:!1},this._emittedStart=!1,J.Began):(this._tapStart={center:e.center,timeStamp:e.timeStamp,pointerId:t},this._lastTap=null,this._drag=null,this._emittedStart=!1,J.Failed)}_handleMove(e){if(!this._drag||!this._isSamePointer(e,this._drag.pointerId))return J.Failed;let t=this._drag.startCenter.y-e.center.y;return!this._drag.active&&Math.abs(t)<this.options.dragThreshold?J.Began:(this._drag.active=!0,e.scale=2**(t/this.options.pixelsPerScale),this._emittedStart?J.Changed:J.Began)}_handleEnd(e,t){if(this._drag&&this._isSamePointer(e,this._drag.pointerId)){let{active:n,startCenter:r}=this._drag;return this._drag=null,this._tapStart=null,this._lastTap=null,n?(e.scale=2**((r.y-e.center.y)/this.options.pixelsPerScale),t?J.Cancelled:J.Ended):(this._emittedStart=!1,J.Failed)}return!this._tapStart||!this._isSamePointer(e,this._tapStart.pointerId)?(t&&this.reset(),J.Failed):(this._lastTap=this._isValidTap(e)?{center:e.center,timeStamp:e.timeStamp,pointerId:this._tapStart.pointerId}:null,this._tapStart=null,J.Failed)}_isTapMatch(e,t){return e.timeStamp-t.timeStamp<=this.options.interval&&uf(e.center,t.center)<=this.options.threshold}_isValidTap(e){return e.deltaTime<=this.options.time&&e.distance<=this.options.threshold}_getPointerId(e){return`pointerId`in e.srcEvent?e.srcEvent.pointerId:null}_isSamePointer(e,t){return t===null||this._getPointerId(e)===t}},Gf=class extends zf{constructor(e={}){super({enable:!0,event:`tap`,pointers:1,taps:1,interval:300,time:250,threshold:9,posThreshold:10,...e}),this.pTime=null,this.pCenter=null,this._timer=null,this._input=null,this.count=0}getTouchAction(){return[Xd]}process(e){let{options:t}=this,n=e.pointers.length===t.pointers,r=e.distance<t.threshold,i=e.deltaTime<t.time;if(this.reset(),e.eventType&q.Start&&this.count===0)return this.failTimeout();if(r&&i&&n){if(e.eventType!==q.End)return this.failTimeout();let n=!this.pTime||e.timeStamp-this.pTime<t.interval,r=!this.pCenter||uf(this.pCenter,e.center)<t.posThreshold;if(this.pTime=e.timeStamp,this.pCenter=e.center,!r||!n?this.count=1:this.count+=1,this._input=e,this.count%t.taps===0)return this.hasRequireFailures()?(this._timer=setTimeout(()=>{this.state=J.Recognized,this.tryEmit(this._input)},t.interval),J.Began):J.Recognized}return J.Failed}failTimeout(){return this._timer=setTimeout(()=>{this.state=J.Failed},this.options.interval),J.Failed}reset(){clearTimeout(this._timer)}emit(e){this.state===J.Recognized&&(e.tapCount=this.count,this.manager.emit(this.options.event,e))}},Kf=class extends Hf{constructor(){super(...arguments),this.wheelSession=null,this.wheelSessionUnsubscribe=null,this.handleWheelSessionEvent=e=>{e.device===`trackpad`&&this.handleTrackpadEvent(e)}}set(e){let{wheelSession:t,...n}=e;return t&&t!==this.wheelSession&&(this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=null,this.wheelSession=t),super.set(n),this.updateWheelSessionSubscription(),this}getTrackpadInput(e,t={}){let{srcEvent:n}=e,r=t.deltaX??e.deltaX,i=t.deltaY??e.deltaY,a=mf(r,i),o=Math.sqrt(e.deltaX*e.deltaX+e.deltaY*e.deltaY),s=n;return{pointers:[s,s],changedPointers:[s,s],pointerType:`trackpad`,srcEvent:s,eventType:e.eventType,timeStamp:e.timeStamp,deltaTime:e.deltaTime,center:e.center,deltaX:r,deltaY:i,angle:Math.atan2(i,r)*180/Math.PI,distance:Math.sqrt(r*r+i*i),distancePerPointer:[o,o],movementDeltaTime:e.deltaTime,scale:1,rotation:0,direction:a,offsetDirection:a,velocity:e.velocity,velocityX:e.velocityX,velocityY:e.velocityY,overallVelocity:e.overallVelocity,overallVelocityX:e.overallVelocityX,overallVelocityY:e.overallVelocityY,maxPointers:2,target:n.target||this.manager.element,additionalEvent:``,...t}}updateWheelSessionSubscription(){let e=!!(this.wheelSession&&this.options.enable&&this.options.trackpad&&this.options.pointers===2);e&&!this.wheelSessionUnsubscribe?this.wheelSessionUnsubscribe=this.wheelSession.on(this.handleWheelSessionEvent):!e&&this.wheelSessionUnsubscribe&&(this.wheelSessionUnsubscribe(),this.wheelSessionUnsubscribe=null)}},qf=[``,`start`,`move`,`end`,`cancel`,`up`,`down`,`left`,`right`],Jf=class extends Kf{constructor(e={}){super({enable:!0,pointers:1,event:`pan`,threshold:10,direction:Jd.All,trackpad:!1,coherent:[],...e}),this.trackpadGesture=!1,this.pX=null,this.pY=null}getTouchAction(){let{options:{direction:e}}=this,t=[];return e&Jd.Horizontal&&t.push($d),e&Jd.Vertical&&t.push(Qd),t}getEventNames(){return qf.map(e=>this.options.event+e)}directionTest(e){let{options:t}=this,n=!0,{distance:r}=e,{direction:i}=e,a=e.deltaX,o=e.deltaY;return i&t.direction||(t.direction&Jd.Horizontal?(i=a===0?Jd.None:a<0?Jd.Left:Jd.Right,n=a!==this.pX,r=Math.abs(e.deltaX)):(i=o===0?Jd.None:o<0?Jd.Up:Jd.Down,n=o!==this.pY,r=Math.abs(e.deltaY))),e.direction=i,n&&r>t.threshold&&!!(i&t.direction)}attrTest(e){let t=!!(this.state&J.Began),n=!(this.options.coherent?.length&&e.eventType&(q.End|q.Cancel));return super.attrTest(e)&&(t||n&&this.coherentTest(e)&&this.directionTest(e))}emit(e){this.pX=e.deltaX,this.pY=e.deltaY;let t=Jd[e.direction].toLowerCase();t&&(e.additionalEvent=this.options.event+t),super.emit(e)}handleTrackpadEvent(e){e.isFirst&&(this.trackpadGesture=!e.srcEvent.ctrlKey,!this.trackpadGesture&&this.state&(J.Recognized|J.Cancelled|J.Failed)&&(this.state=J.Possible)),this.trackpadGesture&&(this.recognize(this.getTrackpadInput(e,{deltaX:-e.deltaX,deltaY:-e.deltaY,velocity:-e.velocity,velocityX:-e.velocityX,velocityY:-e.velocityY,overallVelocity:-e.overallVelocity,overallVelocityX:-e.overallVelocityX,overallVelocityY:-e.overallVelocityY})),e.isFinal&&(this.trackpadGesture=!1))}},Yf=[``,`start`,`move`,`end`,`cancel`,`in`,`out`],Xf=class extends Kf{constructor(e={}){super({enable:!0,event:`pinch`,threshold:0,pointers:2,trackpad:!1,coherent:[],...e}),this.trackpadGesture=!1}getTouchAction(){return[Zd]}getEventNames(){return Yf.map(e=>this.options.event+e)}attrTest(e){let t=!!this.options.coherent?.length,n=!!(this.state&J.Began),r=!(t&&e.eventType&(q.End|q.Cancel));return super.attrTest(e)&&(n||r&&(t?this.coherentTest(e):Math.abs(e.scale-1)>this.options.threshold))}emit(e){if(e.scale!==1){let t=e.scale<1?`in`:`out`;e.additionalEvent=this.options.event+t}super.emit(e)}handleTrackpadEvent(e){e.isFirst&&(this.trackpadGesture=e.srcEvent.ctrlKey,!this.trackpadGesture&&this.state&(J.Recognized|J.Cancelled|J.Failed)&&(this.state=J.Possible)),this.trackpadGesture&&(this.recognize(this.getTrackpadInput(e,{deltaX:0,deltaY:0,velocity:0,velocityX:0,velocityY:0,overallVelocity:0,overallVelocityX:0,overallVelocityY:0,scale:Math.exp(-e.deltaY/100)})),e.isFinal&&(this.trackpadGesture=!1))}},Zf=class{constructor(e,t,n){this.element=e,this.callback=t,this.options=n}listen(e,t){t?this.element.addEventListener(e,this.handleEvent,{passive:!1}):this.element.removeEventListener(e,this.handleEvent)}},Qf=(typeof navigator<`u`&&navigator.userAgent?navigator.userAgent.toLowerCase():``).indexOf(`firefox`)!==-1,$f=40,ep=.25,tp=class extends Zf{constructor(e,t,n){n.enable=n.enable??!1,super(e,t,n),this.handleEvent=e=>{if(!this.options.enable)return;let t=e.deltaY;globalThis.WheelEvent&&(Qf&&e.deltaMode===globalThis.WheelEvent.DOM_DELTA_PIXEL&&(t/=globalThis.devicePixelRatio),e.deltaMode===globalThis.WheelEvent.DOM_DELTA_LINE&&(t*=$f)),e.shiftKey&&t&&(t*=ep),this.callback({type:`wheel`,center:{x:e.clientX,y:e.clientY},delta:-t,device:this.options.wheelSession?.device??`unknown`,srcEvent:e,pointerType:`mouse`,target:e.target})},n.enable&&(this.wheelSessionUnsubscribe=this.options.wheelSession?.on(()=>{}),this.listen(`wheel`,!0))}destroy(){this.listen(`wheel`,!1),this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=void 0}enableEventType(e,t){e===`wheel`&&this.options.enable!==t&&(this.options.enable=t,t&&!this.wheelSessionUnsubscribe&&(this.wheelSessionUnsubscribe=this.options.wheelSession?.on(()=>{})),this.listen(`wheel`,t),t||(this.wheelSessionUnsubscribe?.(),this.wheelSessionUnsubscribe=void 0))}},np=4.000244140625,rp=40,ip=0,ap=1,op=40,sp=40,cp=120,lp={classificationDelay:32,endDelay:80},up=class{constructor(e,t={}){this.subscriptions=new Map,this.session=null,this.classificationTimer=null,this.endTimer=null,this.pressedControlKeys=new Set,this.listeningForControlKeys=!1,this.handleEvent=e=>{if(!this.hasSubscribers)return`unknown`;let t=fp(e,this.pressedControlKeys.size>0),n=this.session;if(n&&t.timeStamp-n.lastTimeStamp>=this.options.endDelay){if(this.end(),!this.hasSubscribers)return`unknown`;n=null}n?(this.scheduleEnd(),this.addSample(n,t)):(n=this.startPendingSession(t),this.scheduleEnd());let{device:r}=n;return r===`unknown`&&(r=pp(n.samples,!1),r!==`unknown`&&this.begin(n,r)),r},this.finishClassification=()=>{if(this.classificationTimer=null,!this.session||this.session.device!==`unknown`)return;let e=this.session,t=pp(e.samples,!0);this.begin(e,t===`unknown`?`mouse`:t)},this.end=()=>{if(!this.session)return;if(this.session.device===`unknown`){let e=this.session,t=pp(e.samples,!0);this.begin(e,t===`unknown`?`mouse`:t)}if(!this.session)return;let e=this.session;this.emit(q.End,e.lastEvent),this.reset()},this.handleKeyDown=e=>{e.key===`Control`&&this.pressedControlKeys.add(e.code||e.key)},this.handleKeyUp=e=>{e.key===`Control`&&(e.code?this.pressedControlKeys.delete(e.code):this.pressedControlKeys.clear())},this.handleWindowBlur=()=>{this.pressedControlKeys.clear()},this.element=e,this.options={...lp,...t},this.element?.addEventListener(`wheel`,this.handleEvent,{passive:!0})}get hasSubscribers(){return this.subscriptions.size>0}get device(){return this.session?.device??`unknown`}on(e){let t={listener:e};return this.subscriptions.set(e,t),this.updateControlKeyEventListeners(),()=>{this.subscriptions.get(e)===t&&this.off(e)}}off(e){this.subscriptions.delete(e),this.updateControlKeyEventListeners(),this.hasSubscribers||this.reset()}cancel(){let e=this.session;e&&e.device!==`unknown`&&this.emit(q.Cancel,e.lastEvent),this.reset()}destroy(){this.cancel(),this.subscriptions.clear(),this.updateControlKeyEventListeners(),this.element?.removeEventListener(`wheel`,this.handleEvent)}startPendingSession(e){let t={samples:[e],device:`unknown`,firstTimeStamp:e.timeStamp,lastTimeStamp:e.timeStamp,totalDeltaX:e.deltaX,totalDeltaY:e.deltaY,velocityX:0,velocityY:0,lastEvent:e.event};return this.session=t,this.classificationTimer=globalThis.setTimeout(this.finishClassification,this.options.classificationDelay),t}addSample(e,t){if(e.samples.push(t),e.lastTimeStamp=t.timeStamp,e.lastEvent=t.event,e.totalDeltaX+=t.deltaX,e.totalDeltaY+=t.deltaY,e.device!==`unknown`){let n=e.samples[e.samples.length-2],r=t.timeStamp-n.timeStamp;e.velocityX=r>0?t.deltaX/r:0,e.velocityY=r>0?t.deltaY/r:0,this.emit(q.Move,t.event,{velocityX:e.velocityX,velocityY:e.velocityY})}}begin(e,t){e.device=t,this.clearClassificationTimer(),this.emit(q.Start,e.samples[0].event);let n=e.lastTimeStamp-e.firstTimeStamp;e.velocityX=n>0?e.totalDeltaX/n:0,e.velocityY=n>0?e.totalDeltaY/n:0,this.emit(q.Move,e.lastEvent,{velocityX:e.velocityX,velocityY:e.velocityY})}scheduleEnd(){this.clearEndTimer(),this.endTimer=globalThis.setTimeout(this.end,this.options.endDelay)}emit(e,t,n){let r=this.session;if(!r||r.device===`unknown`)return;let i=e===q.Start,a=e===q.End||e===q.Cancel,o=i?r.firstTimeStamp:r.lastTimeStamp,s=i?0:Math.max(0,o-r.firstTimeStamp),c=i?0:r.totalDeltaX,l=i?0:r.totalDeltaY,u=s>0?c/s:0,d=s>0?l/s:0,f=i?0:n?.velocityX??r.velocityX,p=i?0:n?.velocityY??r.velocityY,m={eventType:e,device:r.device,srcEvent:t,timeStamp:o,center:{x:t.clientX,y:t.clientY},deltaX:c,deltaY:l,deltaTime:s,velocity:Math.abs(f)>Math.abs(p)?f:p,velocityX:f,velocityY:p,overallVelocity:Math.abs(u)>Math.abs(d)?u:d,overallVelocityX:u,overallVelocityY:d,isFirst:i,isFinal:a};for(let{listener:e}of[...this.subscriptions.values()])e(m)}reset(){this.clearClassificationTimer(),this.clearEndTimer(),this.session=null}clearClassificationTimer(){this.classificationTimer!==null&&(globalThis.clearTimeout(this.classificationTimer),this.classificationTimer=null)}clearEndTimer(){this.endTimer!==null&&(globalThis.clearTimeout(this.endTimer),this.endTimer=null)}updateControlKeyEventListeners(){let e=this.hasSubscribers,t=dp();t&&e!==this.listeningForControlKeys&&(this.listeningForControlKeys=e,e?(t.addEventListener(`keydown`,this.handleKeyDown,!0),t.addEventListener(`keyup`,this.handleKeyUp,!0),t.addEventListener(`blur`,this.handleWindowBlur)):(t.removeEventListener(`keydown`,this.handleKeyDown,!0),t.removeEventListener(`keyup`,this.handleKeyUp,!0),t.removeEventListener(`blur`,this.handleWindowBlur),this.pressedControlKeys.clear()))}};function dp(){return typeof window<`u`?window:globalThis.document?.defaultView}function fp(e,t){let n=e.deltaX,r=e.deltaY;return e.deltaMode===ap&&(n*=rp,r*=rp),{event:e,timeStamp:e.timeStamp,deltaX:n,deltaY:r,isControlKeyDown:t}}function pp(e,t){return e.some(({event:e,isControlKeyDown:t})=>e.ctrlKey&&!t)?`trackpad`:e.some(({event:e})=>e.deltaMode!==ip)||e.some(mp)||e.every(({event:e})=>{let t=e.wheelDelta;return t!==void 0&&Math.abs(t)%40==0})?`mouse`:e.some(({deltaX:e})=>e!==0)||e.length>1&&hp(e)?`trackpad`:t?`mouse`:`unknown`}function mp({event:e,deltaX:t,deltaY:n}){if(t!==0||n===0)return!1;let r=Math.abs(n/np);if(Number.isInteger(r))return!0;let i=e.wheelDelta;return typeof i==`number`&&i!==0&&i%cp===0}function hp(e){for(let t=0;t<e.length;t++){let n=e[t];if(Math.abs(n.deltaX)>sp||Math.abs(n.deltaY)>sp||t>0&&n.timeStamp-e[t-1].timeStamp>op)return!1}return!0}var gp=[`mousedown`,`mousemove`,`mouseup`,`mouseover`,`mouseout`,`mouseenter`,`mouseleave`],_p=class extends Zf{constructor(e,t,n){super(e,t,{enable:!0,...n}),this.handleEvent=e=>{this.handleOverEvent(e),this.handleOutEvent(e),this.handleEnterEvent(e),this.handleLeaveEvent(e),this.handleMoveEvent(e)},this.pressed=!1;let{enable:r=!1}=this.options;this.enableMoveEvent=r,this.enableLeaveEvent=r,this.enableEnterEvent=r,this.enableOutEvent=r,this.enableOverEvent=r,r&&gp.forEach(e=>this.listen(e,!0))}destroy(){gp.forEach(e=>this.listen(e,!1))}enableEventType(e,t){switch(e){case`pointermove`:this.enableMoveEvent!==t&&(this.enableMoveEvent=t,this.listen(`mousedown`,t),this.listen(`mousemove`,t),this.listen(`mouseup`,t));break;case`pointerover`:this.enableOverEvent!==t&&(this.enableOverEvent=t,this.listen(`mouseover`,t));break;case`pointerout`:this.enableOutEvent!==t&&(this.enableOutEvent=t,this.listen(`mouseout`,t));break;case`pointerenter`:this.enableEnterEvent!==t&&(this.enableEnterEvent=t,this.listen(`mouseenter`,t));break;case`pointerleave`:this.enableLeaveEvent!==t&&(this.enableLeaveEvent=t,this.listen(`mouseleave`,t))}}handleOverEvent(e){this.enableOverEvent&&e.type===`mouseover`&&this._emit(`pointerover`,e)}handleOutEvent(e){this.enableOutEvent&&e.type===`mouseout`&&this._emit(`pointerout`,e)}handleEnterEvent(e){this.enableEnterEvent&&e.type===`mouseenter`&&this._emit(`pointerenter`,e)}handleLeaveEvent(e){this.enableLeaveEvent&&e.type===`mouseleave`&&this._emit(`pointerleave`,e)}handleMoveEvent(e){if(this.enableMoveEvent)switch(e.type){case`mousedown`:e.button>=0&&(this.pressed=!0);break;case`mousemove`:e.buttons===0&&(this.pressed=!1),this.pressed||this._emit(`pointermove`,e);break;case`mouseup`:this.pressed=!1}}_emit(e,t){this.callback({type:e,center:{x:t.clientX,y:t.clientY},srcEvent:t,pointerType:`mouse`,target:t.target})}},vp=[`keydown`,`keyup`],yp=class extends Zf{constructor(e,t,n){super(e,t,{enable:!0,tabIndex:0,...n}),this.handleEvent=e=>{let t=e.target||e.srcElement;t.tagName===`INPUT`&&t.type===`text`||t.tagName===`TEXTAREA`||(this.enableDownEvent&&e.type===`keydown`&&this.callback({type:`keydown`,srcEvent:e,key:e.key,target:e.target}),this.enableUpEvent&&e.type===`keyup`&&this.callback({type:`keyup`,srcEvent:e,key:e.key,target:e.target}))};let{enable:r=!1}=this.options;this.enableDownEvent=r,this.enableUpEvent=r,e.tabIndex=this.options.tabIndex,e.style.outline=`none`,r&&vp.forEach(e=>this.listen(e,!0))}destroy(){vp.forEach(e=>this.listen(e,!1))}enableEventType(e,t){e===`keydown`&&this.enableDownEvent!==t&&(this.enableDownEvent=t,this.listen(e,t)),e===`keyup`&&this.enableUpEvent!==t&&(this.enableUpEvent=t,this.listen(e,t))}},bp=class extends Zf{constructor(e,t,n){n.enable=n.enable??!1,super(e,t,n),this.handleEvent=e=>{this.options.enable&&this.callback({type:`contextmenu`,center:{x:e.clientX,y:e.clientY},srcEvent:e,pointerType:`mouse`,target:e.target})},n.enable&&this.listen(`contextmenu`,!0)}destroy(){this.listen(`contextmenu`,!1)}enableEventType(e,t){e===`contextmenu`&&this.options.enable!==t&&(this.options.enable=t,this.listen(`contextmenu`,t))}},xp=1,Sp=2,Cp=4,wp={pointerdown:xp,pointermove:Sp,pointerup:Cp,mousedown:xp,mousemove:Sp,mouseup:Cp},Tp=0,Ep=1,Dp=2,Op=1,kp=2,Ap=4;function jp(e){let t=wp[e.srcEvent.type];if(!t)return null;let{buttons:n,button:r}=e.srcEvent,i=!1,a=!1,o=!1;return t===Sp?(i=!!(n&Op),a=!!(n&Ap),o=!!(n&kp)):(i=r===Tp,a=r===Ep,o=r===Dp),{leftButton:i,middleButton:a,rightButton:o}}function Mp(e,t){let n=e.center;if(!n)return null;let r=t.getBoundingClientRect(),i=r.width/t.offsetWidth||1,a=r.height/t.offsetHeight||1;return{center:n,offsetCenter:{x:(n.x-r.left-t.clientLeft)/i,y:(n.y-r.top-t.clientTop)/a}}}var Np={srcElement:`root`,priority:0},Pp=class{constructor(e,t){this.handleEvent=e=>{if(this.isEmpty())return;let t=this._normalizeEvent(e),n=e.srcEvent.target;for(;n&&n!==t.rootElement;){if(this._emit(t,n),t.handled)return;n=n.parentNode}this._emit(t,`root`)},this.eventManager=e,this.recognizerName=t,this.handlers=[],this.handlersByElement=new Map,this._active=!1}isEmpty(){return!this._active}add(e,t,n,r=!1,i=!1){let{handlers:a,handlersByElement:o}=this,s={...Np,...n},c=o.get(s.srcElement);c||(c=[],o.set(s.srcElement,c));let l={type:e,handler:t,srcElement:s.srcElement,priority:s.priority};r&&(l.once=!0),i&&(l.passive=!0),a.push(l),this._active=this._active||!l.passive;let u=c.length-1;for(;u>=0&&!(c[u].priority>=l.priority);)u--;c.splice(u+1,0,l)}remove(e,t){let{handlers:n,handlersByElement:r}=this;for(let i=n.length-1;i>=0;i--){let a=n[i];if(a.type===e&&a.handler===t){n.splice(i,1);let e=r.get(a.srcElement);e.splice(e.indexOf(a),1),e.length===0&&r.delete(a.srcElement)}}this._active=n.some(e=>!e.passive)}_emit(e,t){let n=this.handlersByElement.get(t);if(n){let t=!1,r=()=>{e.handled=!0},i=()=>{e.handled=!0,t=!0},a=[];for(let o=0;o<n.length;o++){let{type:s,handler:c,once:l}=n[o];if(c({...e,type:s,stopPropagation:r,stopImmediatePropagation:i}),l&&a.push(n[o]),t)break}for(let e=0;e<a.length;e++){let{type:t,handler:n}=a[e];this.remove(t,n)}}}_normalizeEvent(e){let t=this.eventManager.getElement();return{...e,...jp(e),...Mp(e,t),preventDefault:()=>{e.srcEvent.preventDefault()},stopImmediatePropagation:null,stopPropagation:null,handled:!1,rootElement:t}}};function Fp(e){if(`recognizer`in e)return e;let t,n=Array.isArray(e)?[...e]:[e];return t=typeof n[0]==`function`?new(n.shift())(n.shift()||{}):n.shift(),{recognizer:t,recognizeWith:typeof n[0]==`string`?[n[0]]:n[0],requireFailure:typeof n[1]==`string`?[n[1]]:n[1]}}var Ip=class{constructor(e=null,t={}){if(this._onBasicInput=e=>{this.manager.emit(e.srcEvent.type,e)},this._onOtherEvent=e=>{this.manager.emit(e.type,e)},this.options={recognizers:[],events:{},touchAction:`compute`,tabIndex:0,cssProps:{},...t},this.events=new Map,this.element=e,this.wheelSession=new up(e),e){this.manager=new Ff(e,this.options);for(let e of this.options.recognizers){let{recognizer:t,recognizeWith:n,requireFailure:r}=Fp(e);this.manager.add(t),n&&t.recognizeWith(n),r&&t.requireFailure(r)}this.manager.on(`hammer.input`,this._onBasicInput),this.wheelInput=new tp(e,this._onOtherEvent,{enable:!1,wheelSession:this.wheelSession}),this.moveInput=new _p(e,this._onOtherEvent,{enable:!1}),this.keyInput=new yp(e,this._onOtherEvent,{enable:!1,tabIndex:t.tabIndex}),this.contextmenuInput=new bp(e,this._onOtherEvent,{enable:!1}),this.on(this.options.events)}}getElement(){return this.element}destroy(){this.element?(this.wheelInput.destroy(),this.wheelSession.destroy(),this.moveInput.destroy(),this.keyInput.destroy(),this.contextmenuInput.destroy(),this.manager.destroy()):this.wheelSession.destroy()}on(e,t,n){this._addEventHandler(e,t,n,!1)}once(e,t,n){this._addEventHandler(e,t,n,!0)}watch(e,t,n){this._addEventHandler(e,t,n,!1,!0)}off(e,t){this._removeEventHandler(e,t)}emit(e){this.manager?.emit(e.type,e)}_toggleRecognizer(e,t){let{manager:n}=this;if(!n)return;let r=n.get(e);r&&(r.set({enable:t,wheelSession:this.wheelSession}),n.touchAction.update()),this.wheelInput?.enableEventType(e,t),this.moveInput?.enableEventType(e,t),this.keyInput?.enableEventType(e,t),this.contextmenuInput?.enableEventType(e,t)}_addEventHandler(e,t,n,r,i){if(typeof e!=`string`){n=t;for(let[t,a]of Object.entries(e))this._addEventHandler(t,a,n,r,i);return}let{manager:a,events:o}=this;if(!a)return;let s=o.get(e);if(!s){let t=this._getRecognizerName(e)||e;s=new Pp(this,t),o.set(e,s),a&&a.on(e,s.handleEvent)}s.add(e,t,n,r,i),s.isEmpty()||this._toggleRecognizer(s.recognizerName,!0)}_removeEventHandler(e,t){if(typeof e!=`string`){for(let[t,n]of Object.entries(e))this._removeEventHandler(t,n);return}let{events:n}=this,r=n.get(e);if(r&&(r.remove(e,t),r.isEmpty())){let{recognizerName:e}=r,t=!1;for(let r of n.values())if(r.recognizerName===e&&!r.isEmpty()){t=!0;break}t||this._toggleRecognizer(e,!1)}}_getRecognizerName(e){return this.manager.recognizers.find(t=>t.getEventNames().includes(e))?.options.event}},Lp={DEFAULT:`default`,LNGLAT:`lnglat`,METER_OFFSETS:`meter-offsets`,LNGLAT_OFFSETS:`lnglat-offsets`,CARTESIAN:`cartesian`};Object.defineProperty(Lp,"IDENTITY",{get:()=>(K.deprecated(`COORDINATE_SYSTEM.IDENTITY`,`COORDINATE_SYSTEM.CARTESIAN`)(),Lp.CARTESIAN)});var Rp={WEB_MERCATOR:1,GLOBE:2,WEB_MERCATOR_AUTO_OFFSET:4,IDENTITY:0},zp={common:0,meters:1,pixels:2},Bp={click:`onClick`,dblclick:`onClick`,panstart:`onDragStart`,panmove:`onDrag`,panend:`onDragEnd`},Vp={multipan:[Jf,{threshold:10,pointers:2,trackpad:!0}],pinch:[Xf,{trackpad:!0},null,[`multipan`]],pan:[Jf,{threshold:1},[`pinch`],[`multipan`]],dblclick:[Gf,{event:`dblclick`,taps:2,enable:!1}],dblclickdrag:[Wf,{event:`dblclickdrag`,enable:!1},[`dblclick`],null],click:[Gf,{event:`click`},[`dblclickdrag`],[`dblclick`,`dblclickdrag`]]};function Hp(e,t){if(e===t)return!0;if(Array.isArray(e)){let n=e.length;if(!t||t.length!==n)return!1;for(let r=0;r<n;r++)if(e[r]!==t[r])return!1;return!0}return!1}function Up(e){let t={},n;return r=>{for(let i in r)if(!Hp(r[i],t[i])){n=e(r),t=r;break}return n}}var Wp=[0,0,0,0],Gp=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0],Kp=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],qp=[0,0,0],Jp=[0,0,0],Yp={default:-1,cartesian:0,lnglat:1,"meter-offsets":2,"lnglat-offsets":3};function Xp(e){let t=Yp[e];if(t===void 0)throw Error(`Invalid coordinateSystem: ${e}`);return t}var Zp=Up(tm);function Qp(e,t,n=Jp){n.length<3&&(n=[n[0],n[1],0]);let r=n,i,a=!0;switch(i=t===`lnglat-offsets`||t===`meter-offsets`?n:e.isGeospatial?[Math.fround(e.longitude),Math.fround(e.latitude),0]:null,e.projectionMode){case Rp.WEB_MERCATOR:(t===`lnglat`||t===`cartesian`)&&(i=[0,0,0],a=!1);break;case Rp.WEB_MERCATOR_AUTO_OFFSET:t===`lnglat`?r=i:t===`cartesian`&&(r=[Math.fround(e.center[0]),Math.fround(e.center[1]),0],i=e.unprojectPosition(r),r[0]-=n[0],r[1]-=n[1],r[2]-=n[2]);break;case Rp.IDENTITY:r=e.position.map(Math.fround),r[2]=r[2]||0;break;case Rp.GLOBE:a=!1,i=null;break;default:a=!1}return{geospatialOrigin:i,shaderCoordinateOrigin:r,offsetMode:a}}function $p(e,t,n){let{viewMatrixUncentered:r,projectionMatrix:i}=e,{viewMatrix:a,viewProjectionMatrix:o}=e,s=Wp,c=Wp,l=e.cameraPosition,{geospatialOrigin:u,shaderCoordinateOrigin:d,offsetMode:f}=Qp(e,t,n);return f&&(c=e.projectPosition(u||d),l=[l[0]-c[0],l[1]-c[1],l[2]-c[2]],c[3]=1,s=Yu([],c,o),a=r||a,o=Nu([],i,a),o=Nu([],o,Gp)),{viewMatrix:a,viewProjectionMatrix:o,projectionCenter:s,originCommon:c,cameraPosCommon:l,shaderCoordinateOrigin:d,geospatialOrigin:u}}function em({viewport:e,devicePixelRatio:t=1,modelMatrix:n=null,coordinateSystem:r=`default`,coordinateOrigin:i=Jp,autoWrapLongitude:a=!1}){r==="default"&&(r=e.isGeospatial?`lnglat`:`cartesian`);let o=Zp({viewport:e,devicePixelRatio:t,coordinateSystem:r,coordinateOrigin:i});return o.wrapLongitude=a,o.modelMatrix=n||Kp,o}function tm({viewport:e,devicePixelRatio:t,coordinateSystem:n,coordinateOrigin:r}){let{projectionCenter:i,viewProjectionMatrix:a,originCommon:o,cameraPosCommon:s,shaderCoordinateOrigin:c,geospatialOrigin:l}=$p(e,n,r),u=e.getDistanceScales(),d=[e.width*t,e.height*t],f=Yu([],[0,0,-e.focalDistance,1],e.projectionMatrix)[3]||1,p={coordinateSystem:Xp(n),projectionMode:e.projectionMode,coordinateOrigin:c,commonOrigin:o.slice(0,3),center:i,pseudoMeters:!!e._pseudoMeters,viewportSize:d,devicePixelRatio:t,focalDistance:f,commonUnitsPerMeter:u.unitsPerMeter,commonUnitsPerWorldUnit:u.unitsPerMeter,commonUnitsPerWorldUnit2:qp,scale:e.scale,wrapLongitude:!1,viewProjectionMatrix:a,modelMatrix:Kp,cameraPosition:s};if(l){let t=e.getDistanceScales(l);switch(n){case`meter-offsets`:p.commonUnitsPerWorldUnit=t.unitsPerMeter,p.commonUnitsPerWorldUnit2=t.unitsPerMeter2;break;case`lnglat`:case`lnglat-offsets`:e._pseudoMeters||(p.commonUnitsPerMeter=t.unitsPerMeter),p.commonUnitsPerWorldUnit=t.unitsPerDegree,p.commonUnitsPerWorldUnit2=t.unitsPerDegree2;break;case`cartesian`:p.commonUnitsPerWorldUnit=[1,1,t.unitsPerMeter[2]],p.commonUnitsPerWorldUnit2=[0,0,t.unitsPerMeter2[2]]}}if(e.projectionMode===Rp.GLOBE&&n===`meter-offsets`){let e=r[0]*Math.PI/180,t=r[1]*Math.PI/180,n=Math.cos(t),i=((r[2]||0)/6370972+1)*256;p.commonOrigin=[Math.sin(e)*n*i,-Math.cos(e)*n*i,Math.sin(t)*i]}return p}var nm=`\
${`\
${[`default`,`lnglat`,`meter-offsets`,`lnglat-offsets`,`cartesian`].map(e=>`const COORDINATE_SYSTEM_${e.toUpperCase().replaceAll(`-`,`_`)}: i32 = ${Xp(e)};`).join(``)}
${Object.keys(Rp).map(e=>`const PROJECTION_MODE_${e}: i32 = ${Rp[e]};`).join(``)}
${Object.keys(zp).map(e=>`const UNIT_${e.toUpperCase()}: i32 = ${zp[e]};`).join(``)}

const TILE_SIZE: f32 = 512.0;
const PI: f32 = 3.1415926536;
const WORLD_SCALE: f32 = TILE_SIZE / (PI * 2.0);
const ZERO_64_LOW: vec3<f32> = vec3<f32>(0.0, 0.0, 0.0);
const EARTH_RADIUS: f32 = 6370972.0; // meters
const GLOBE_RADIUS: f32 = 256.0;

// -----------------------------------------------------------------------------
// Uniform block (converted from GLSL uniform block)
// -----------------------------------------------------------------------------
struct ProjectUniforms {
  wrapLongitude: i32,
  coordinateSystem: i32,
  commonUnitsPerMeter: vec3<f32>,
  projectionMode: i32,
  scale: f32,
  commonUnitsPerWorldUnit: vec3<f32>,
  commonUnitsPerWorldUnit2: vec3<f32>,
  center: vec4<f32>,
  modelMatrix: mat4x4<f32>,
  viewProjectionMatrix: mat4x4<f32>,
  viewportSize: vec2<f32>,
  devicePixelRatio: f32,
  focalDistance: f32,
  cameraPosition: vec3<f32>,
  coordinateOrigin: vec3<f32>,
  commonOrigin: vec3<f32>,
  pseudoMeters: i32,
};

@group(0) @binding(auto)
var<uniform> project: ProjectUniforms;

// -----------------------------------------------------------------------------
// Geometry data shared across the project helpers.
// The active layer shader is responsible for populating this private module
// state before calling the project functions below.
// -----------------------------------------------------------------------------

// Structure to carry additional geometry data used by deck.gl filters.
struct Geometry {
  worldPosition: vec3<f32>,
  worldPositionAlt: vec3<f32>,
  position: vec4<f32>,
  normal: vec3<f32>,
  uv: vec2<f32>,
  pickingColor: vec3<f32>,
};

var<private> geometry: Geometry;
`}

// -----------------------------------------------------------------------------
// Functions
// -----------------------------------------------------------------------------

// Returns an adjustment factor for commonUnitsPerMeter
fn _project_size_at_latitude(lat: f32) -> f32 {
  let y = clamp(lat, -89.9, 89.9);
  return 1.0 / cos(radians(y));
}

// Overloaded version: scales a value in meters at a given latitude.
fn _project_size_at_latitude_m(meters: f32, lat: f32) -> f32 {
  return meters * project.commonUnitsPerMeter.z * _project_size_at_latitude(lat);
}

// Computes a non-linear scale factor based on geometry.
// (Note: This function relies on "geometry" being provided.)
fn project_size() -> f32 {
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR &&
      project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT &&
      project.pseudoMeters == 0) {
    if (geometry.position.w == 0.0) {
      return _project_size_at_latitude(geometry.worldPosition.y);
    }
    let y: f32 = geometry.position.y / TILE_SIZE * 2.0 - 1.0;
    let y2 = y * y;
    let y4 = y2 * y2;
    let y6 = y4 * y2;
    return 1.0 + 4.9348 * y2 + 4.0587 * y4 + 1.5642 * y6;
  }
  return 1.0;
}

// Overloads to scale offsets (meters to world units)
fn project_size_float(meters: f32) -> f32 {
  return meters * project.commonUnitsPerMeter.z * project_size();
}

fn project_size_vec2(meters: vec2<f32>) -> vec2<f32> {
  return meters * project.commonUnitsPerMeter.xy * project_size();
}

fn project_size_vec3(meters: vec3<f32>) -> vec3<f32> {
  return meters * project.commonUnitsPerMeter * project_size();
}

fn project_size_vec4(meters: vec4<f32>) -> vec4<f32> {
  return vec4<f32>(meters.xyz * project.commonUnitsPerMeter, meters.w);
}

// Returns a rotation matrix aligning the z‑axis with the given up vector.
fn project_get_orientation_matrix(up: vec3<f32>) -> mat3x3<f32> {
  let uz = normalize(up);
  let ux = select(
    vec3<f32>(1.0, 0.0, 0.0),
    normalize(vec3<f32>(uz.y, -uz.x, 0.0)),
    abs(uz.z) == 1.0
  );
  let uy = cross(uz, ux);
  return mat3x3<f32>(ux, uy, uz);
}

// Since WGSL does not support "out" parameters, we return a struct.
struct RotationResult {
  needsRotation: bool,
  transform: mat3x3<f32>,
};

fn project_needs_rotation(commonPosition: vec3<f32>) -> RotationResult {
  if (project.projectionMode == PROJECTION_MODE_GLOBE) {
    return RotationResult(true, project_get_orientation_matrix(commonPosition));
  } else {
    return RotationResult(false, mat3x3<f32>());  // identity alternative if needed
  };
}

// Projects a normal vector from the current coordinate system to world space.
fn project_normal(vector: vec3<f32>) -> vec3<f32> {
  let normal_modelspace = project.modelMatrix * vec4<f32>(vector, 0.0);
  var n = normalize(normal_modelspace.xyz * project.commonUnitsPerMeter);
  let rotResult = project_needs_rotation(geometry.position.xyz);
  if (rotResult.needsRotation) {
    n = rotResult.transform * n;
  }
  return n;
}

// Applies a scale offset based on y-offset (dy)
fn project_offset_(offset: vec4<f32>) -> vec4<f32> {
  let dy: f32 = offset.y;
  let commonUnitsPerWorldUnit = project.commonUnitsPerWorldUnit + project.commonUnitsPerWorldUnit2 * dy;
  return vec4<f32>(offset.xyz * commonUnitsPerWorldUnit, offset.w);
}

// Projects lng/lat coordinates to a unit tile [0,1]
fn project_mercator_(lnglat: vec2<f32>) -> vec2<f32> {
  var x = lnglat.x;
  if (project.wrapLongitude != 0) {
    x = ((x + 180.0) % 360.0) - 180.0;
  }
  let y = clamp(lnglat.y, -89.9, 89.9);
  return vec2<f32>(
    radians(x) + PI,
    PI + log(tan_fp32(PI * 0.25 + radians(y) * 0.5))
  ) * WORLD_SCALE;
}

// Projects lng/lat/z coordinates for a globe projection.
fn project_globe_(lnglatz: vec3<f32>) -> vec3<f32> {
  let lambda = radians(lnglatz.x);
  let phi = radians(lnglatz.y);
  let cosPhi = cos(phi);
  let D = (lnglatz.z / EARTH_RADIUS + 1.0) * GLOBE_RADIUS;
  return vec3<f32>(
    sin(lambda) * cosPhi,
    -cos(lambda) * cosPhi,
    sin(phi)
  ) * D;
}

// Projects positions (with an optional 64-bit low part) from the input
// coordinate system to the common space.
fn project_position_vec4_f64(position: vec4<f32>, position64Low: vec3<f32>) -> vec4<f32> {
  var position_world = project.modelMatrix * position;

  // Work around for a Mac+NVIDIA bug:
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      return vec4<f32>(
        project_mercator_(position_world.xy),
        _project_size_at_latitude_m(position_world.z, position_world.y),
        position_world.w
      );
    }
    if (project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN) {
      position_world = vec4f(position_world.xyz + project.coordinateOrigin, position_world.w);
    }
  }
  if (project.projectionMode == PROJECTION_MODE_GLOBE) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      return vec4<f32>(
        project_globe_(position_world.xyz),
        position_world.w
      );
    }
    if (project.coordinateSystem == COORDINATE_SYSTEM_METER_OFFSETS) {
      let enuMatrix = project_get_orientation_matrix(project.commonOrigin);
      let metersToCommon = GLOBE_RADIUS / EARTH_RADIUS;
      let offsetCommon = (enuMatrix * vec3<f32>(-position_world.x, -position_world.y, position_world.z)) * metersToCommon;
      return vec4<f32>(project.commonOrigin + offsetCommon, position_world.w);
    }
  }
  if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
    if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
      if (abs(position_world.y - project.coordinateOrigin.y) > 0.25) {
        return vec4<f32>(
          project_mercator_(position_world.xy) - project.commonOrigin.xy,
          project_size_float(position_world.z),
          position_world.w
        );
      }
    }
  }
  if (project.projectionMode == PROJECTION_MODE_IDENTITY ||
      (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET &&
       (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
        project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN))) {
    position_world = vec4f(position_world.xyz - project.coordinateOrigin, position_world.w);
  }

  return project_offset_(position_world) +
         project_offset_(project.modelMatrix * vec4<f32>(position64Low, 0.0));
}

// Overloaded versions for different input types.
fn project_position_vec4_f32(position: vec4<f32>) -> vec4<f32> {
  return project_position_vec4_f64(position, ZERO_64_LOW);
}

fn project_position_vec3_f64(position: vec3<f32>, position64Low: vec3<f32>) -> vec3<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 1.0), position64Low);
  return projected_position.xyz;
}

fn project_position_vec3_f32(position: vec3<f32>) -> vec3<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 1.0), ZERO_64_LOW);
  return projected_position.xyz;
}

fn project_position_vec2_f32(position: vec2<f32>) -> vec2<f32> {
  let projected_position = project_position_vec4_f64(vec4<f32>(position, 0.0, 1.0), ZERO_64_LOW);
  return projected_position.xy;
}

// Transforms a common space position to clip space.
fn project_common_position_to_clipspace_with_projection(position: vec4<f32>, viewProjectionMatrix: mat4x4<f32>, center: vec4<f32>) -> vec4<f32> {
  var clipPosition = viewProjectionMatrix * position + center;
  // deck.gl projection matrices use WebGL's [-w, w] depth range; WebGPU clips z to [0, w].
  clipPosition.z = (clipPosition.z + clipPosition.w) * 0.5;
  return clipPosition;
}

// Uses the project viewProjectionMatrix and center.
fn project_common_position_to_clipspace(position: vec4<f32>) -> vec4<f32> {
  return project_common_position_to_clipspace_with_projection(position, project.viewProjectionMatrix, project.center);
}

// Returns a clip space offset corresponding to a given number of screen pixels.
fn project_pixel_size_to_clipspace(pixels: vec2<f32>) -> vec2<f32> {
  let offset = pixels / project.viewportSize * project.devicePixelRatio * 2.0;
  return offset * project.focalDistance;
}

fn project_meter_size_to_pixel(meters: f32) -> f32 {
  return project_size_float(meters) * project.scale;
}

fn project_unit_size_to_pixel(size: f32, unit: i32) -> f32 {
  if (unit == UNIT_METERS) {
    return project_meter_size_to_pixel(size);
  } else if (unit == UNIT_COMMON) {
    return size * project.scale;
  }
  // UNIT_PIXELS: no scaling applied.
  return size;
}

fn project_pixel_size_float(pixels: f32) -> f32 {
  return pixels / project.scale;
}

fn project_pixel_size_vec2(pixels: vec2<f32>) -> vec2<f32> {
  return pixels / project.scale;
}
`,rm=`\
${[`default`,`lnglat`,`meter-offsets`,`lnglat-offsets`,`cartesian`].map(e=>`const int COORDINATE_SYSTEM_${e.toUpperCase().replaceAll(`-`,`_`)} = ${Xp(e)};`).join(``)}
${Object.keys(Rp).map(e=>`const int PROJECTION_MODE_${e} = ${Rp[e]};`).join(``)}
${Object.keys(zp).map(e=>`const int UNIT_${e.toUpperCase()} = ${zp[e]};`).join(``)}
layout(std140) uniform projectUniforms {
bool wrapLongitude;
int coordinateSystem;
vec3 commonUnitsPerMeter;
int projectionMode;
float scale;
vec3 commonUnitsPerWorldUnit;
vec3 commonUnitsPerWorldUnit2;
vec4 center;
mat4 modelMatrix;
mat4 viewProjectionMatrix;
vec2 viewportSize;
float devicePixelRatio;
float focalDistance;
vec3 cameraPosition;
vec3 coordinateOrigin;
vec3 commonOrigin;
bool pseudoMeters;
} project;
const float TILE_SIZE = 512.0;
const float PI = 3.1415926536;
const float WORLD_SCALE = TILE_SIZE / (PI * 2.0);
const vec3 ZERO_64_LOW = vec3(0.0);
const float EARTH_RADIUS = 6370972.0;
const float GLOBE_RADIUS = 256.0;
float project_size_at_latitude(float lat) {
float y = clamp(lat, -89.9, 89.9);
return 1.0 / cos(radians(y));
}
float project_size() {
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR &&
project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT &&
project.pseudoMeters == false) {
if (geometry.position.w == 0.0) {
return project_size_at_latitude(geometry.worldPosition.y);
}
float y = geometry.position.y / TILE_SIZE * 2.0 - 1.0;
float y2 = y * y;
float y4 = y2 * y2;
float y6 = y4 * y2;
return 1.0 + 4.9348 * y2 + 4.0587 * y4 + 1.5642 * y6;
}
return 1.0;
}
float project_size_at_latitude(float meters, float lat) {
return meters * project.commonUnitsPerMeter.z * project_size_at_latitude(lat);
}
float project_size(float meters) {
return meters * project.commonUnitsPerMeter.z * project_size();
}
vec2 project_size(vec2 meters) {
return meters * project.commonUnitsPerMeter.xy * project_size();
}
vec3 project_size(vec3 meters) {
return meters * project.commonUnitsPerMeter * project_size();
}
vec4 project_size(vec4 meters) {
return vec4(meters.xyz * project.commonUnitsPerMeter, meters.w);
}
mat3 project_get_orientation_matrix(vec3 up) {
vec3 uz = normalize(up);
vec3 ux = abs(uz.z) == 1.0 ? vec3(1.0, 0.0, 0.0) : normalize(vec3(uz.y, -uz.x, 0));
vec3 uy = cross(uz, ux);
return mat3(ux, uy, uz);
}
bool project_needs_rotation(vec3 commonPosition, out mat3 transform) {
if (project.projectionMode == PROJECTION_MODE_GLOBE) {
transform = project_get_orientation_matrix(commonPosition);
return true;
}
return false;
}
vec3 project_normal(vec3 vector) {
vec4 normal_modelspace = project.modelMatrix * vec4(vector, 0.0);
vec3 n = normalize(normal_modelspace.xyz * project.commonUnitsPerMeter);
mat3 rotation;
if (project_needs_rotation(geometry.position.xyz, rotation)) {
n = rotation * n;
}
return n;
}
vec4 project_offset_(vec4 offset) {
float dy = offset.y;
vec3 commonUnitsPerWorldUnit = project.commonUnitsPerWorldUnit + project.commonUnitsPerWorldUnit2 * dy;
return vec4(offset.xyz * commonUnitsPerWorldUnit, offset.w);
}
vec2 project_mercator_(vec2 lnglat) {
float x = lnglat.x;
if (project.wrapLongitude) {
x = mod(x + 180., 360.0) - 180.;
}
float y = clamp(lnglat.y, -89.9, 89.9);
return vec2(
radians(x) + PI,
PI + log(tan_fp32(PI * 0.25 + radians(y) * 0.5))
) * WORLD_SCALE;
}
vec3 project_globe_(vec3 lnglatz) {
float lambda = radians(lnglatz.x);
float phi = radians(lnglatz.y);
float cosPhi = cos(phi);
float D = (lnglatz.z / EARTH_RADIUS + 1.0) * GLOBE_RADIUS;
return vec3(
sin(lambda) * cosPhi,
-cos(lambda) * cosPhi,
sin(phi)
) * D;
}
vec4 project_position(vec4 position, vec3 position64Low) {
vec4 position_world = project.modelMatrix * position;
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
return vec4(
project_mercator_(position_world.xy),
project_size_at_latitude(position_world.z, position_world.y),
position_world.w
);
}
if (project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN) {
position_world.xyz += project.coordinateOrigin;
}
}
if (project.projectionMode == PROJECTION_MODE_GLOBE) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
return vec4(
project_globe_(position_world.xyz),
position_world.w
);
}
if (project.coordinateSystem == COORDINATE_SYSTEM_METER_OFFSETS) {
mat3 enuMatrix = project_get_orientation_matrix(project.commonOrigin);
float metersToCommon = GLOBE_RADIUS / EARTH_RADIUS;
vec3 offsetCommon = (enuMatrix * vec3(-position_world.xy, position_world.z)) * metersToCommon;
return vec4(project.commonOrigin + offsetCommon, position_world.w);
}
}
if (project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT) {
if (abs(position_world.y - project.coordinateOrigin.y) > 0.25) {
return vec4(
project_mercator_(position_world.xy) - project.commonOrigin.xy,
project_size(position_world.z),
position_world.w
);
}
}
}
if (project.projectionMode == PROJECTION_MODE_IDENTITY ||
(project.projectionMode == PROJECTION_MODE_WEB_MERCATOR_AUTO_OFFSET &&
(project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
project.coordinateSystem == COORDINATE_SYSTEM_CARTESIAN))) {
position_world.xyz -= project.coordinateOrigin;
}
return project_offset_(position_world) + project_offset_(project.modelMatrix * vec4(position64Low, 0.0));
}
vec4 project_position(vec4 position) {
return project_position(position, ZERO_64_LOW);
}
vec3 project_position(vec3 position, vec3 position64Low) {
vec4 projected_position = project_position(vec4(position, 1.0), position64Low);
return projected_position.xyz;
}
vec3 project_position(vec3 position) {
vec4 projected_position = project_position(vec4(position, 1.0), ZERO_64_LOW);
return projected_position.xyz;
}
vec2 project_position(vec2 position) {
vec4 projected_position = project_position(vec4(position, 0.0, 1.0), ZERO_64_LOW);
return projected_position.xy;
}
vec4 project_common_position_to_clipspace(vec4 position, mat4 viewProjectionMatrix, vec4 center) {
return viewProjectionMatrix * position + center;
}
vec4 project_common_position_to_clipspace(vec4 position) {
return project_common_position_to_clipspace(position, project.viewProjectionMatrix, project.center);
}
vec2 project_pixel_size_to_clipspace(vec2 pixels) {
vec2 offset = pixels / project.viewportSize * project.devicePixelRatio * 2.0;
return offset * project.focalDistance;
}
float project_size_to_pixel(float meters) {
return project_size(meters) * project.scale;
}
vec2 project_size_to_pixel(vec2 meters) {
return project_size(meters) * project.scale;
}
float project_size_to_pixel(float size, int unit) {
if (unit == UNIT_METERS) return project_size_to_pixel(size);
if (unit == UNIT_COMMON) return size * project.scale;
return size;
}
float project_pixel_size(float pixels) {
return pixels / project.scale;
}
vec2 project_pixel_size(vec2 pixels) {
return pixels / project.scale;
}
`,im={};function am(e=im){return`viewport`in e?em(e):{}}var om={name:`project`,dependencies:[C,qd],source:nm,vs:rm,getUniforms:am,uniformTypes:{wrapLongitude:`f32`,coordinateSystem:`i32`,commonUnitsPerMeter:`vec3<f32>`,projectionMode:`i32`,scale:`f32`,commonUnitsPerWorldUnit:`vec3<f32>`,commonUnitsPerWorldUnit2:`vec3<f32>`,center:`vec4<f32>`,modelMatrix:`mat4x4<f32>`,viewProjectionMatrix:`mat4x4<f32>`,viewportSize:`vec2<f32>`,devicePixelRatio:`f32`,focalDistance:`f32`,cameraPosition:`vec3<f32>`,coordinateOrigin:`vec3<f32>`,commonOrigin:`vec3<f32>`,pseudoMeters:`f32`}},sm={name:`project32`,dependencies:[om],source:`// Define a structure to hold both the clip-space position and the common position.
struct ProjectResult {
  clipPosition: vec4<f32>,
  commonPosition: vec4<f32>,
};

// This function mimics the GLSL version with the 'out' parameter by returning both values.
fn project_position_to_clipspace_and_commonspace(
    position: vec3<f32>,
    position64Low: vec3<f32>,
    offset: vec3<f32>
) -> ProjectResult {
  // Compute the projected position.
  let projectedPosition: vec3<f32> = project_position_vec3_f64(position, position64Low);

  // Start with the provided offset.
  var finalOffset: vec3<f32> = offset;

  // Get whether a rotation is needed and the rotation matrix.
  let rotationResult = project_needs_rotation(projectedPosition);

  // If rotation is needed, update the offset.
  if (rotationResult.needsRotation) {
    finalOffset = rotationResult.transform * offset;
  }

  // Compute the common position.
  let commonPosition: vec4<f32> = vec4<f32>(projectedPosition + finalOffset, 1.0);

  // Convert to clip-space.
  let clipPosition: vec4<f32> = project_common_position_to_clipspace(commonPosition);

  return ProjectResult(clipPosition, commonPosition);
}

// A convenience overload that returns only the clip-space position.
fn project_position_to_clipspace(
    position: vec3<f32>,
    position64Low: vec3<f32>,
    offset: vec3<f32>
) -> vec4<f32> {
  return project_position_to_clipspace_and_commonspace(position, position64Low, offset).clipPosition;
}
`,vs:`vec4 project_position_to_clipspace(
  vec3 position, vec3 position64Low, vec3 offset, out vec4 commonPosition
) {
  vec3 projectedPosition = project_position(position, position64Low);
  mat3 rotation;
  if (project_needs_rotation(projectedPosition, rotation)) {
    // offset is specified as ENU
    // when in globe projection, rotate offset so that the ground alighs with the surface of the globe
    offset = rotation * offset;
  }
  commonPosition = vec4(projectedPosition + offset, 1.0);
  return project_common_position_to_clipspace(commonPosition);
}

vec4 project_position_to_clipspace(
  vec3 position, vec3 position64Low, vec3 offset
) {
  vec4 commonPosition;
  return project_position_to_clipspace(position, position64Low, offset, commonPosition);
}
`};function cm(){return[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}function lm(e,t){let n=Yu([],t,e);return Ju(n,n,1/n[3]),n}function um(e,t,n){return e<t?t:e>n?n:e}function dm(e){return Math.log(e)*Math.LOG2E}var fm=Math.log2||dm;function pm(e,t){if(!e)throw Error(t||`@math.gl/web-mercator: assertion failed.`)}var mm=Math.PI,hm=mm/4,gm=mm/180,_m=180/mm,vm=512,ym=4003e4,bm=85.051129,xm=1.5;function Sm(e){return fm(e)}function Cm(e){let[t,n]=e;pm(Number.isFinite(t)),pm(Number.isFinite(n)&&n>=-90&&n<=90,`invalid latitude`);let r=t*gm,i=n*gm;return[vm*(r+mm)/(2*mm),vm*(mm+Math.log(Math.tan(hm+i*.5)))/(2*mm)]}function wm(e){let[t,n]=e,r=t/vm*(2*mm)-mm,i=2*(Math.atan(Math.exp(n/vm*(2*mm)-mm))-hm);return[r*_m,i*_m]}function Tm(e){let{latitude:t}=e;return pm(Number.isFinite(t)),Sm(ym*Math.cos(t*gm))-9}function Em(e){let t=Math.cos(e*gm);return vm/ym/t}function Dm(e){let{latitude:t,longitude:n,highPrecision:r=!1}=e;pm(Number.isFinite(t)&&Number.isFinite(n));let i=vm,a=Math.cos(t*gm),o=i/360,s=o/a,c=i/ym/a,l={unitsPerMeter:[c,c,c],metersPerUnit:[1/c,1/c,1/c],unitsPerDegree:[o,s,c],degreesPerUnit:[1/o,1/s,1/c]};if(r){let e=gm*Math.tan(t*gm)/a,n=o*e/2,r=i/ym*e,u=r/s*c;l.unitsPerDegree2=[0,n,r],l.unitsPerMeter2=[u,0,u]}return l}function Om(e,t){let[n,r,i]=e,[a,o,s]=t,{unitsPerMeter:c,unitsPerMeter2:l}=Dm({longitude:n,latitude:r,highPrecision:!0}),u=Cm(e);u[0]+=a*(c[0]+l[0]*o),u[1]+=o*(c[1]+l[1]*o);let d=wm(u),f=(i||0)+(s||0);return Number.isFinite(i)||Number.isFinite(s)?[d[0],d[1],f]:d}function km(e){let{height:t,pitch:n,bearing:r,altitude:i,scale:a,center:o}=e,s=cm();Pu(s,s,[0,0,-i]),Lu(s,s,-n*gm),zu(s,s,r*gm);let c=a/t;return Fu(s,s,[c,c,c]),o&&Pu(s,s,mu([],o)),s}function Am(e){let{width:t,height:n,altitude:r,pitch:i=0,offset:a,center:o,scale:s,nearZMultiplier:c=1,farZMultiplier:l=1}=e,{fovy:u=jm(xm)}=e;r!==void 0&&(u=jm(r));let d=u*gm,f=i*gm,p=Mm(u),m=p;o&&(m+=o[2]*s/Math.cos(f)/n);let h=d*(.5+(a?a[1]:0)/n),g=Math.sin(h)*m/Math.sin(um(Math.PI/2-f-h,.01,Math.PI-.01)),_=Math.sin(f)*g+m,v=m*10,y=Math.min(_*l,v);return{fov:d,aspect:t/n,focalDistance:p,near:c,far:y}}function jm(e){return 2*Math.atan(.5/e)*_m}function Mm(e){return .5/Math.tan(.5*e*gm)}function Nm(e,t){let[n,r,i=0]=e;return pm(Number.isFinite(n)&&Number.isFinite(r)&&Number.isFinite(i)),lm(t,[n,r,i,1])}function Pm(e,t,n=0){let[r,i,a]=e;if(pm(Number.isFinite(r)&&Number.isFinite(i),`invalid pixel coordinate`),Number.isFinite(a))return lm(t,[r,i,a,1]);let o=lm(t,[r,i,0,1]),s=lm(t,[r,i,1,1]),c=o[2],l=s[2];return ou([],o,s,c===l?0:((n||0)-c)/(l-c))}function Fm(e){let{width:t,height:n,bounds:r,minExtent:i=0,maxZoom:a=24,offset:o=[0,0]}=e,[[s,c],[l,u]]=r,d=Im(e.padding),f=Cm([s,um(u,-bm,bm)]),p=Cm([l,um(c,-bm,bm)]),m=[Math.max(Math.abs(p[0]-f[0]),i),Math.max(Math.abs(p[1]-f[1]),i)],h=[t-d.left-d.right-Math.abs(o[0])*2,n-d.top-d.bottom-Math.abs(o[1])*2];pm(h[0]>0&&h[1]>0);let g=h[0]/m[0],_=h[1]/m[1],v=(d.right-d.left)/2/g,y=(d.top-d.bottom)/2/_,b=wm([(p[0]+f[0])/2+v,(p[1]+f[1])/2+y]),x=Math.min(a,fm(Math.abs(Math.min(g,_))));return pm(Number.isFinite(x)),{longitude:b[0],latitude:b[1],zoom:x}}function Im(e=0){return typeof e==`number`?{top:e,bottom:e,left:e,right:e}:(pm(Number.isFinite(e.top)&&Number.isFinite(e.bottom)&&Number.isFinite(e.left)&&Number.isFinite(e.right)),e)}var Lm=Math.PI/180;function Rm(e,t=0){let{width:n,height:r,unproject:i}=e,a={targetZ:t},o=i([0,r],a),s=i([n,r],a),c,l;return(e.fovy?.5*e.fovy*Lm:Math.atan(.5/e.altitude))>(90-e.pitch)*Lm-.01?(c=zm(e,0,t),l=zm(e,n,t)):(c=i([0,0],a),l=i([n,0],a)),[o,s,l,c]}function zm(e,t,n){let{pixelUnprojectionMatrix:r}=e,i=lm(r,[t,0,1,1]),a=lm(r,[t,e.height,1,1]),o=wm(ou([],i,a,(n*e.distanceScales.unitsPerMeter[2]-i[2])/(a[2]-i[2])));return o.push(n),o}var Bm=`
layout(std140) uniform shadowUniforms {
  bool drawShadowMap;
  bool useShadowMap;
  vec4 color;
  highp int lightId;
  float lightCount;
  mat4 viewProjectionMatrix0;
  mat4 viewProjectionMatrix1;
  vec4 projectCenter0;
  vec4 projectCenter1;
} shadow;
`,Vm=`
${Bm}

const int max_lights = 2;

out vec3 shadow_vPosition[max_lights];

vec4 shadow_setVertexPosition(vec4 position_commonspace) {
  mat4 viewProjectionMatrices[max_lights];
  viewProjectionMatrices[0] = shadow.viewProjectionMatrix0;
  viewProjectionMatrices[1] = shadow.viewProjectionMatrix1;
  vec4 projectCenters[max_lights];
  projectCenters[0] = shadow.projectCenter0;
  projectCenters[1] = shadow.projectCenter1;

  if (shadow.drawShadowMap) {
    return project_common_position_to_clipspace(position_commonspace, viewProjectionMatrices[shadow.lightId], projectCenters[shadow.lightId]);
  }
  if (shadow.useShadowMap) {
    for (int i = 0; i < max_lights; i++) {
      if(i < int(shadow.lightCount)) {
        vec4 shadowMap_position = project_common_position_to_clipspace(position_commonspace, viewProjectionMatrices[i], projectCenters[i]);
        shadow_vPosition[i] = (shadowMap_position.xyz / shadowMap_position.w + 1.0) / 2.0;
      }
    }
  }
  return gl_Position;
}

`,Hm=`
${Bm}

const int max_lights = 2;
uniform sampler2D shadow_uShadowMap0;
uniform sampler2D shadow_uShadowMap1;

in vec3 shadow_vPosition[max_lights];

const vec4 bitPackShift = vec4(1.0, 255.0, 65025.0, 16581375.0);
const vec4 bitUnpackShift = 1.0 / bitPackShift;
const vec4 bitMask = vec4(1.0 / 255.0, 1.0 / 255.0, 1.0 / 255.0,  0.0);

float shadow_getShadowWeight(vec3 position, sampler2D shadowMap) {
  vec4 rgbaDepth = texture(shadowMap, position.xy);

  float z = dot(rgbaDepth, bitUnpackShift);
  return smoothstep(0.001, 0.01, position.z - z);
}

vec4 shadow_filterShadowColor(vec4 color) {
  if (shadow.drawShadowMap) {
    vec4 rgbaDepth = fract(gl_FragCoord.z * bitPackShift);
    rgbaDepth -= rgbaDepth.gbaa * bitMask;
    return rgbaDepth;
  }
  if (shadow.useShadowMap) {
    float shadowAlpha = 0.0;
    shadowAlpha += shadow_getShadowWeight(shadow_vPosition[0], shadow_uShadowMap0);
    if(shadow.lightCount > 1.0) {
      shadowAlpha += shadow_getShadowWeight(shadow_vPosition[1], shadow_uShadowMap1);
    }
    shadowAlpha *= shadow.color.a / shadow.lightCount;
    float blendedAlpha = shadowAlpha + color.a * (1.0 - shadowAlpha);

    return vec4(
      mix(color.rgb, shadow.color.rgb, shadowAlpha / blendedAlpha),
      blendedAlpha
    );
  }
  return color;
}

`,Um=Up(Jm),Wm=Up(Ym),Gm=[0,0,0,1],Km=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,0];function qm(e,t){let[n,r,i]=e,a=Pm([n,r,i],t);return Number.isFinite(i)?a:[a[0],a[1],0]}function Jm({viewport:e,center:t}){return new nd(e.viewProjectionMatrix).invert().transform(t)}function Ym({viewport:e,shadowMatrices:t}){let n=[],r=e.pixelUnprojectionMatrix,i=e.isGeospatial?void 0:1,a=[[0,0,i],[e.width,0,i],[0,e.height,i],[e.width,e.height,i],[0,0,-1],[e.width,0,-1],[0,e.height,-1],[e.width,e.height,-1]].map(e=>qm(e,r));for(let r of t){let t=r.clone().translate(new Du(e.center).negate()),i=a.map(e=>t.transform(e)),o=new nd().ortho({left:Math.min(...i.map(e=>e[0])),right:Math.max(...i.map(e=>e[0])),bottom:Math.min(...i.map(e=>e[1])),top:Math.max(...i.map(e=>e[1])),near:Math.min(...i.map(e=>-e[2])),far:Math.max(...i.map(e=>-e[2]))});n.push(o.multiplyRight(r))}return n}function Xm(e){let{shadowEnabled:t=!0,project:n}=e;if(!t||!n||!e.shadowMatrices||!e.shadowMatrices.length)return{drawShadowMap:!1,useShadowMap:!1,shadow_uShadowMap0:e.dummyShadowMap,shadow_uShadowMap1:e.dummyShadowMap};let r=om.getUniforms(n),i=Um({viewport:n.viewport,center:r.center}),a=[],o=Wm({shadowMatrices:e.shadowMatrices,viewport:n.viewport}).slice();for(let t=0;t<e.shadowMatrices.length;t++){let e=o[t],s=e.clone().translate(new Du(n.viewport.center).negate());r.coordinateSystem===Xp(`lnglat`)&&r.projectionMode===Rp.WEB_MERCATOR?(o[t]=s,a[t]=i):(o[t]=e.clone().multiplyRight(Km),a[t]=s.transform(i))}let s={drawShadowMap:!!e.drawToShadowMap,useShadowMap:e.shadowMaps?e.shadowMaps.length>0:!1,color:e.shadowColor||Gm,lightId:e.shadowLightId||0,lightCount:e.shadowMatrices.length,shadow_uShadowMap0:e.dummyShadowMap,shadow_uShadowMap1:e.dummyShadowMap};for(let e=0;e<o.length;e++)s[`viewProjectionMatrix${e}`]=o[e],s[`projectCenter${e}`]=a[e];for(let t=0;t<2;t++)s[`shadow_uShadowMap${t}`]=e.shadowMaps&&e.shadowMaps[t]||e.dummyShadowMap;return s}var Zm={name:`shadow`,dependencies:[om],vs:Vm,fs:Hm,inject:{"vs:DECKGL_FILTER_GL_POSITION":`
    position = shadow_setVertexPosition(geometry.position);
    `,"fs:DECKGL_FILTER_COLOR":`
    color = shadow_filterShadowColor(color);
    `},getUniforms:Xm,uniformTypes:{drawShadowMap:`f32`,useShadowMap:`f32`,color:`vec4<f32>`,lightId:`i32`,lightCount:`f32`,viewProjectionMatrix0:`mat4x4<f32>`,viewProjectionMatrix1:`mat4x4<f32>`,projectCenter0:`vec4<f32>`,projectCenter1:`vec4<f32>`}},Qm=16777215;function $m(e,t){e.length===10?K.warn(`pickMultipleObjects can only exclude 10 previously picked objects for layers without picking buffers`)():e.push(t)}var eh=`  float disabledPickingIndexCount;
  vec4 disabledPickingIndices0;
  vec4 disabledPickingIndices1;
  vec4 disabledPickingIndices2;
`;function th(e){return e.replace(`  vec4 highlightColor;
} picking;`,`  vec4 highlightColor;\n${eh}} picking;`)}function nh(e,t){return[e[t]||0,e[t+1]||0,e[t+2]||0,e[t+3]||0]}var rh=`\
vec3 picking_getPickingColorFromIndex(float objectIndex) {
  if (objectIndex < 0.0 || objectIndex >= ${Qm}.0) {
    return vec3(0.0);
  }

  for (int i = 0; i < 10; i++) {
    if (float(i) >= picking.disabledPickingIndexCount) {
      break;
    }
    vec4 disabledIndices = i < 4
      ? picking.disabledPickingIndices0
      : (i < 8 ? picking.disabledPickingIndices1 : picking.disabledPickingIndices2);
    float disabledIndex = disabledIndices[i - (i / 4) * 4];
    if (disabledIndex == objectIndex) {
      return vec3(0.0);
    }
  }

  float encodedIndex = objectIndex + 1.0;
  return vec3(
    mod(encodedIndex, 256.0),
    mod(floor(encodedIndex / 256.0), 256.0),
    mod(floor(encodedIndex / 65536.0), 256.0)
  );
}

vec3 picking_getPickingColorFromIndex(uint objectIndex) {
  return picking_getPickingColorFromIndex(float(objectIndex));
}

vec3 picking_getPickingColorFromInstanceID() {
  return picking_getPickingColorFromIndex(float(gl_InstanceID));
}

void picking_setPickingColorFromInstanceID() {
  picking_setPickingColor(picking_getPickingColorFromInstanceID());
}
`,ih=`\
struct pickingUniforms {
  isActive: f32,
  isAttribute: f32,
  isHighlightActive: f32,
  useByteColors: f32,
  highlightedObjectColor: vec3<f32>,
  highlightColor: vec4<f32>,
  disabledPickingIndexCount: f32,
  disabledPickingIndices0: vec4<f32>,
  disabledPickingIndices1: vec4<f32>,
  disabledPickingIndices2: vec4<f32>,
};

@group(0) @binding(auto) var<uniform> picking: pickingUniforms;

fn picking_normalizeColor(color: vec3<f32>) -> vec3<f32> {
  return select(color, color / 255.0, picking.useByteColors > 0.5);
}

fn picking_normalizeColor4(color: vec4<f32>) -> vec4<f32> {
  return select(color, color / 255.0, picking.useByteColors > 0.5);
}

fn picking_isColorZero(color: vec3<f32>) -> bool {
  return dot(color, vec3<f32>(1.0)) < 0.00001;
}

fn picking_isColorValid(color: vec3<f32>) -> bool {
  return dot(color, vec3<f32>(1.0)) > 0.00001;
}

fn picking_getPickingColorFromIndex(objectIndex: u32) -> vec3<f32> {
  if (objectIndex >= ${Qm}u) {
    return vec3<f32>(0.0);
  }

  for (var i = 0; i < 10; i = i + 1) {
    if (f32(i) >= picking.disabledPickingIndexCount) {
      break;
    }
    let disabledIndices = select(
      picking.disabledPickingIndices2,
      select(picking.disabledPickingIndices1, picking.disabledPickingIndices0, i < 4),
      i < 8
    );
    let disabledIndex = disabledIndices[i % 4];
    if (disabledIndex == f32(objectIndex)) {
      return vec3<f32>(0.0);
    }
  }

  let encodedIndex = objectIndex + 1u;
  return vec3<f32>(
    f32(encodedIndex % 256u),
    f32((encodedIndex / 256u) % 256u),
    f32((encodedIndex / 65536u) % 256u)
  ) / 255.0;
}
`,ah={...Ed,vs:`${th(Ed.vs)}\n${rh}`,fs:th(Ed.fs),source:ih,uniformTypes:{...Ed.uniformTypes,disabledPickingIndexCount:`f32`,disabledPickingIndices0:`vec4<f32>`,disabledPickingIndices1:`vec4<f32>`,disabledPickingIndices2:`vec4<f32>`},defaultUniforms:{...Ed.defaultUniforms,useByteColors:!0,disabledPickingIndexCount:0,disabledPickingIndices0:[0,0,0,0],disabledPickingIndices1:[0,0,0,0],disabledPickingIndices2:[0,0,0,0]},getUniforms(e,t){let n=Ed.getUniforms(e,t),r=e.disabledPickingIndices||[];return n.disabledPickingIndexCount=r.length,n.disabledPickingIndices0=nh(r,0),n.disabledPickingIndices1=nh(r,4),n.disabledPickingIndices2=nh(r,8),n},inject:{"vs:DECKGL_FILTER_GL_POSITION":`
    // for picking depth values
    picking_setPickingAttribute(position.z / position.w);
  `,"vs:DECKGL_FILTER_COLOR":`
  picking_setPickingColor(geometry.pickingColor);
  `,"fs:DECKGL_FILTER_COLOR":{order:99,injection:`
  // use highlight color if this fragment belongs to the selected object.
  color = picking_filterHighlightColor(color);

  // use picking color if rendering to picking FBO.
  color = picking_filterPickingColor(color);
    `}}},oh=[qd],sh=[`vs:DECKGL_FILTER_SIZE(inout vec3 size, VertexGeometry geometry)`,`vs:DECKGL_FILTER_GL_POSITION(inout vec4 position, VertexGeometry geometry)`,`vs:DECKGL_FILTER_COLOR(inout vec4 color, VertexGeometry geometry)`,`fs:DECKGL_FILTER_COLOR(inout vec4 color, FragmentGeometry geometry)`],ch=[];function lh(e){let t=P.getDefaultShaderAssembler(e);for(let e of oh)t.addDefaultModule(e);t._hookFunctions.length=0;let n=e===`glsl`?sh:ch;for(let e of n)t.addShaderHook(e);return t}var uh=[255,255,255],dh=1,fh=0,ph=class{constructor(e={}){this.type=`ambient`;let{color:t=uh}=e,{intensity:n=dh}=e;this.id=e.id||`ambient-${fh++}`,this.color=t,this.intensity=n}},mh=[255,255,255],hh=1,gh=[0,0,-1],_h=0,vh=class{constructor(e={}){this.type=`directional`;let{color:t=mh}=e,{intensity:n=hh}=e,{direction:r=gh}=e,{_shadow:i=!1}=e;this.id=e.id||`directional-${_h++}`,this.color=t,this.intensity=n,this.type=`directional`,this.direction=new Du(r).normalize().toArray(),this.shadow=i}getProjectedLight(e){return this}},yh=class{constructor(e,t={id:`pass`}){let{id:n}=t;this.id=n,this.device=e,this.props={...t}}setProps(e){Object.assign(this.props,e)}render(e){}cleanup(){}},bh={depthWriteEnabled:!0,depthCompare:`less-equal`,blendColorOperation:`add`,blendColorSrcFactor:`one`,blendColorDstFactor:`one-minus-src-alpha`,blendAlphaOperation:`add`,blendAlphaSrcFactor:`one`,blendAlphaDstFactor:`one-minus-src-alpha`},xh=class extends yh{constructor(){super(...arguments),this._lastRenderIndex=-1}render(e){this._render(e)}_render(e){let{canvasContext:t=this.device.canvasContext}=e,n=e.target??t.getCurrentFramebuffer(),[r,i]=t.getDrawingBufferSize(),a=e.clearCanvas??!0,o=e.clearColor??(a?[0,0,0,0]:!1),s=a?1:!1,c=a?0:!1,l=e.colorMask??15,u={viewport:[0,0,r,i]};e.colorMask&&(u.colorMask=l),e.scissorRect&&(u.scissorRect=e.scissorRect);let{shaderModuleProps:d,viewports:f,views:p,onViewportActive:m,clearStack:h=!0}=e,g=e.pass||`unknown`,_=this.device.type===`webgpu`;h&&(this._lastRenderIndex=-1);let v=[];if(!f.length)return this.device.beginRenderPass({framebuffer:n,parameters:u,clearColor:o,clearDepth:s,clearStencil:c}).end(),this.device.submit(),v;try{for(let r of f){m?.(r);let i=this._getDrawLayerParams(r,e),a=p&&p[r.id],l=r.subViewports||[r],f=_?l.map(e=>[e]):[l];for(let r of f){let l=this.device.beginRenderPass({framebuffer:n,parameters:u,clearColor:o,clearDepth:s,clearStencil:c});try{for(let o of r){let r=this._drawLayersInViewport(l,{target:n,canvasContext:t,shaderModuleProps:d,viewport:o,view:a,pass:g,layers:e.layers,isPicking:e.isPicking},i);v.push(r)}}finally{l.end(),_&&this.device.submit()}o=!1,s=!1,c=!1}}return v}finally{_||this.device.submit()}}_getDrawLayerParams(e,{layers:t,pass:n,isPicking:r=!1,layerFilter:i,cullRect:a,views:o,effects:s,canvasContext:c=this.device.canvasContext,shaderModuleProps:l},u=!1){let d=[],f=Sh(this._lastRenderIndex+1),p={layer:t[0],viewport:e,isPicking:r,renderPass:n,cullRect:a},m={};for(let r=0;r<t.length;r++){let a=t[r],h=this._shouldDrawLayer(a,p,i,m),g={shouldDrawLayer:h};h&&!u&&(g.shouldDrawLayer=!0,g.layerRenderIndex=f(a,h),g.shaderModuleProps=this._getShaderModuleProps(a,s,n,c,l),g.layerParameters={...a.context.device.type===`webgpu`?bh:null,...a.context.deck?.props.parameters,...o?.[e.id]?.props.parameters,...this.getLayerParameters(a,r,e)}),d[r]=g}return d}_drawLayersInViewport(e,{layers:t,shaderModuleProps:n,pass:r,target:i,canvasContext:a,viewport:o,view:s,isPicking:c},l){let u=Ch(this.device,{canvasContext:a,shaderModuleProps:n,target:i,viewport:o});if(s){let{clear:e,clearColor:t,clearDepth:n,clearStencil:r}=s.props;if(e){let e=[0,0,0,0],a=1,o=0;Array.isArray(t)&&!c?e=[...t.slice(0,3),t[3]||255].map(e=>e/255):t===!1&&(e=!1),n!==void 0&&(a=n),r!==void 0&&(o=r),this.device.beginRenderPass({framebuffer:i,parameters:{viewport:u,scissorRect:u},clearColor:e,clearDepth:a,clearStencil:o}).end()}}let d={totalCount:t.length,visibleCount:0,compositeCount:0,pickableCount:0};e.setParameters({viewport:u});for(let n=0;n<t.length;n++){let i=t[n],a=l[n],{shouldDrawLayer:s}=a;if(s&&i.props.pickable&&d.pickableCount++,i.isComposite&&d.compositeCount++,i.isDrawable&&a.shouldDrawLayer){let{layerRenderIndex:t,shaderModuleProps:n,layerParameters:s}=a;d.visibleCount++,this._lastRenderIndex=Math.max(this._lastRenderIndex,t),n.project&&(n.project.viewport=o),i.context.renderPass=e;try{i._drawLayer({renderPass:e,shaderModuleProps:n,uniforms:{layerIndex:t},parameters:s})}catch(e){i.raiseError(e,`drawing ${i} to ${r}`)}}}return d}shouldDrawLayer(e){return!0}getShaderModuleProps(e,t,n){return null}getLayerParameters(e,t,n){return e.props.parameters}_shouldDrawLayer(e,t,n,r){if(!(e.props.visible&&this.shouldDrawLayer(e)))return!1;t.layer=e;let i=e.parent;for(;i;){if(!i.props.visible||!i.filterSubLayer(t))return!1;t.layer=i,i=i.parent}if(n){let e=t.layer.id;if(e in r||(r[e]=n(t)),!r[e])return!1}return e.activateViewport(t.viewport),!0}_getShaderModuleProps(e,t,n,r,i){let a=r.cssToDeviceRatio(),o=e.internalState?.propsInTransition||e.props,s={layer:o,picking:{isActive:!1},project:{viewport:e.context.viewport,devicePixelRatio:a,modelMatrix:o.modelMatrix,coordinateSystem:o.coordinateSystem,coordinateOrigin:o.coordinateOrigin,autoWrapLongitude:e.wrapLongitude}};if(t)for(let n of t)wh(s,n.getShaderModuleProps?.(e,s));for(let t of e.context.defaultShaderModules)t.name in s||(s[t.name]={});return wh(s,this.getShaderModuleProps(e,t,s),i)}};function Sh(e=0,t={}){let n={},r=(i,a)=>{let o=i.props._offset,s=i.id,c=i.parent&&i.parent.id,l;if(c&&!(c in t)&&r(i.parent,!1),c in n){let e=n[c]=n[c]||Sh(t[c],t);l=e(i,a),n[s]=e}else Number.isFinite(o)?(l=o+(t[c]||0),n[s]=null):l=e;return a&&l>=e&&(e=l+1),t[s]=l,l};return r}function Ch(e,{canvasContext:t=e.canvasContext,shaderModuleProps:n,target:r,viewport:i}){let a=n?.project?.devicePixelRatio??t.cssToDeviceRatio(),[,o]=t.getDrawingBufferSize(),s=r?r.height:o,c=i;return[c.x*a,s-(c.y+c.height)*a,c.width*a,c.height*a]}function wh(e,...t){for(let n of t)if(n)for(let t in n)e[t]?Object.assign(e[t],n[t]):e[t]=n[t];return e}var Th=class extends xh{constructor(e,t){super(e,t);let n=e.createTexture({format:`rgba8unorm`,width:1,height:1,sampler:{minFilter:`linear`,magFilter:`linear`,addressModeU:`clamp-to-edge`,addressModeV:`clamp-to-edge`}}),r=e.createTexture({format:`depth16unorm`,width:1,height:1});this.fbo=e.createFramebuffer({id:`shadowmap`,width:1,height:1,colorAttachments:[n],depthStencilAttachment:r})}delete(){this.fbo&&=(this.fbo.destroy(),null)}getShadowMap(){return this.fbo.colorAttachments[0].texture}render(e){let t=this.fbo,n=this.device.canvasContext.cssToDeviceRatio(),r=e.viewports[0],i=r.width*n,a=r.height*n,o=[1,1,1,1];(i!==t.width||a!==t.height)&&t.resize({width:i,height:a}),super.render({...e,clearColor:o,target:t,pass:`shadow`})}getLayerParameters(e,t,n){return{...e.props.parameters,blend:!1,depthWriteEnabled:!0,depthCompare:`less-equal`}}shouldDrawLayer(e){return e.props.shadowEnabled!==!1}getShaderModuleProps(e,t,n){return{shadow:{project:n.project,drawToShadowMap:!0}}}},Eh={color:[255,255,255],intensity:1},Dh=[{color:[255,255,255],intensity:1,direction:[-1,3,-1]},{color:[255,255,255],intensity:.9,direction:[1,-8,-2.5]}],Oh=[0,0,0,200/255],kh=class{constructor(e={}){this.id=`lighting-effect`,this.shadowColor=Oh,this.shadow=!1,this.directionalLights=[],this.pointLights=[],this.shadowPasses=[],this.dummyShadowMap=null,this.setProps(e)}setup(e){this.context=e;let{device:t,deck:n}=e;this.shadow&&!this.dummyShadowMap&&(this._createShadowPasses(t),n._addDefaultShaderModule(Zm),this.dummyShadowMap=t.createTexture({width:1,height:1}))}setProps(e){this.ambientLight=void 0,this.directionalLights=[],this.pointLights=[];for(let t in e){let n=e[t];switch(n.type){case`ambient`:this.ambientLight=n;break;case`directional`:this.directionalLights.push(n);break;case`point`:this.pointLights.push(n)}}this._applyDefaultLights(),this.shadow=this.directionalLights.some(e=>e.shadow),this.context&&this.setup(this.context),this.props=e}preRender({layers:e,layerFilter:t,viewports:n,onViewportActive:r,views:i}){if(this.shadow){this.shadowMatrices=this._calculateMatrices();for(let a=0;a<this.shadowPasses.length;a++)this.shadowPasses[a].render({layers:e,layerFilter:t,viewports:n,onViewportActive:r,views:i,shaderModuleProps:{shadow:{shadowLightId:a,dummyShadowMap:this.dummyShadowMap,shadowMatrices:this.shadowMatrices}}})}}getShaderModuleProps(e,t){let n=this.shadow?{project:t.project,shadowMaps:this.shadowPasses.map(e=>e.getShadowMap()),dummyShadowMap:this.dummyShadowMap,shadowColor:this.shadowColor,shadowMatrices:this.shadowMatrices}:{},r={enabled:!0,lights:this._getLights(e)},i=e.props.material;return{shadow:n,lighting:r,phongMaterial:i,gouraudMaterial:i}}cleanup(e){for(let e of this.shadowPasses)e.delete();this.shadowPasses.length=0,this.dummyShadowMap&&(this.dummyShadowMap.destroy(),this.dummyShadowMap=null,e.deck._removeDefaultShaderModule(Zm))}_calculateMatrices(){let e=[];for(let t of this.directionalLights){let n=new nd().lookAt({eye:new Du(t.direction).negate()});e.push(n)}return e}_createShadowPasses(e){for(let t=0;t<this.directionalLights.length;t++){let n=new Th(e);this.shadowPasses[t]=n}}_applyDefaultLights(){let{ambientLight:e,pointLights:t,directionalLights:n}=this;!e&&t.length===0&&n.length===0&&(this.ambientLight=new ph(Eh),this.directionalLights.push(new vh(Dh[0]),new vh(Dh[1])))}_getLights(e){let t=[];this.ambientLight&&t.push(this.ambientLight);for(let n of this.pointLights)t.push(n.getProjectedLight({layer:e}));for(let n of this.directionalLights)t.push(n.getProjectedLight({layer:e}));return t}},Ah=new class{constructor(e={}){this._pool=[],this.opts={overAlloc:2,poolSize:100},this.setOptions(e)}setOptions(e){Object.assign(this.opts,e)}allocate(e,t,{size:n=1,type:r,padding:i=0,copy:a=!1,initialize:o=!1,maxCount:s}){let c=r||e&&e.constructor||Float32Array,l=t*n+i;if(ArrayBuffer.isView(e)){if(l<=e.length)return e;if(l*e.BYTES_PER_ELEMENT<=e.buffer.byteLength)return new c(e.buffer,0,l)}let u=1/0;s&&(u=s*n+i);let d=this._allocate(c,l,o,u);return e&&a?d.set(e):o||d.fill(0,0,4),this._release(e),d}release(e){this._release(e)}_allocate(e,t,n,r){let i=Math.max(Math.ceil(t*this.opts.overAlloc),1);i>r&&(i=r);let a=this._pool,o=e.BYTES_PER_ELEMENT*i,s=a.findIndex(e=>e.byteLength>=o);if(s>=0){let t=new e(a.splice(s,1)[0],0,i);return n&&t.fill(0),t}return new e(i)}_release(e){if(!ArrayBuffer.isView(e))return;let t=this._pool,{buffer:n}=e,{byteLength:r}=n,i=t.findIndex(e=>e.byteLength>=r);i<0?t.push(n):(i>0||t.length<this.opts.poolSize)&&t.splice(i,0,n),t.length>this.opts.poolSize&&t.shift()}};function jh(){return[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]}function Mh(e,t){let n=e%t;return n<0?t+n:n}function Nh(e){return[e[12],e[13],e[14]]}function Ph(e){return{left:Ih(e[3]+e[0],e[7]+e[4],e[11]+e[8],e[15]+e[12]),right:Ih(e[3]-e[0],e[7]-e[4],e[11]-e[8],e[15]-e[12]),bottom:Ih(e[3]+e[1],e[7]+e[5],e[11]+e[9],e[15]+e[13]),top:Ih(e[3]-e[1],e[7]-e[5],e[11]-e[9],e[15]-e[13]),near:Ih(e[3]+e[2],e[7]+e[6],e[11]+e[10],e[15]+e[14]),far:Ih(e[3]-e[2],e[7]-e[6],e[11]-e[10],e[15]-e[14])}}var Fh=new Du;function Ih(e,t,n,r){Fh.set(e,t,n);let i=Fh.len();return{distance:r/i,normal:new Du(-e/i,-t/i,-n/i)}}function Lh(e){return e-Math.fround(e)}var Rh;function zh(e,t){let{size:n=1,startIndex:r=0}=t,i=t.endIndex===void 0?e.length:t.endIndex,a=(i-r)/n;Rh=Ah.allocate(Rh,a,{type:Float32Array,size:n*2});let o=r,s=0;for(;o<i;){for(let t=0;t<n;t++){let r=e[o++];Rh[s+t]=r,Rh[s+t+n]=Lh(r)}s+=n*2}return Rh.subarray(0,a*n*2)}function Bh(e){let t=null,n=!1;for(let r of e)r&&(t?(n||=(t=[[t[0][0],t[0][1]],[t[1][0],t[1][1]]],!0),t[0][0]=Math.min(t[0][0],r[0][0]),t[0][1]=Math.min(t[0][1],r[0][1]),t[1][0]=Math.max(t[1][0],r[1][0]),t[1][1]=Math.max(t[1][1],r[1][1])):t=r);return t}var Vh=Math.PI/180,Hh=jh(),Uh=[0,0,0],Wh={unitsPerMeter:[1,1,1],metersPerUnit:[1,1,1]};function Gh({width:e,height:t,orthographic:n,fovyRadians:r,focalDistance:i,padding:a,near:o,far:s}){let c=e/t,l=n?new nd().orthographic({fovy:r,aspect:c,focalDistance:i,near:o,far:s}):new nd().perspective({fovy:r,aspect:c,near:o,far:s});if(a){let{left:n=0,right:r=0,top:i=0,bottom:o=0}=a,s=Ul((n+e-r)/2,0,e)-e/2,c=Ul((i+t-o)/2,0,t)-t/2;l[8]-=s*2/e,l[9]+=c*2/t}return l}var Kh=class e{constructor(e={}){this._frustumPlanes={},this.id=e.id||this.constructor.displayName||`viewport`,this.x=e.x||0,this.y=e.y||0,this.width=e.width||1,this.height=e.height||1,this.zoom=e.zoom||0,this.padding=e.padding,this.distanceScales=e.distanceScales||Wh,this.focalDistance=e.focalDistance||1,this.position=e.position||Uh,this.modelMatrix=e.modelMatrix||null;let{longitude:t,latitude:n}=e;this.isGeospatial=Number.isFinite(n)&&Number.isFinite(t),this._initProps(e),this._initMatrices(e),this.equals=this.equals.bind(this),this.project=this.project.bind(this),this.unproject=this.unproject.bind(this),this.projectPosition=this.projectPosition.bind(this),this.unprojectPosition=this.unprojectPosition.bind(this),this.projectFlat=this.projectFlat.bind(this),this.unprojectFlat=this.unprojectFlat.bind(this)}get subViewports(){return null}get metersPerPixel(){return this.distanceScales.metersPerUnit[2]/this.scale}get projectionMode(){return this.isGeospatial?this.zoom<12?Rp.WEB_MERCATOR:Rp.WEB_MERCATOR_AUTO_OFFSET:Rp.IDENTITY}equals(t){return t instanceof e?this===t||t.width===this.width&&t.height===this.height&&t.scale===this.scale&&t.projectionMode===this.projectionMode&&t.resolution===this.resolution&&Gl(t.distanceScales.unitsPerMeter,this.distanceScales.unitsPerMeter)&&Gl(t.projectionMatrix,this.projectionMatrix)&&Gl(t.viewMatrix,this.viewMatrix):!1}project(e,{topLeft:t=!0}={}){let n=Nm(this.projectPosition(e),this.pixelProjectionMatrix),[r,i]=n,a=t?i:this.height-i;return e.length===2?[r,a]:[r,a,n[2]]}unproject(e,{topLeft:t=!0,targetZ:n}={}){let[r,i,a]=e,o=t?i:this.height-i,s=n&&n*this.distanceScales.unitsPerMeter[2],c=Pm([r,o,a],this.pixelUnprojectionMatrix,s),[l,u,d]=this.unprojectPosition(c);return Number.isFinite(a)?[l,u,d]:Number.isFinite(n)?[l,u,n]:[l,u]}projectPosition(e){let[t,n]=this.projectFlat(e);return[t,n,(e[2]||0)*this.distanceScales.unitsPerMeter[2]]}unprojectPosition(e){let[t,n]=this.unprojectFlat(e);return[t,n,(e[2]||0)*this.distanceScales.metersPerUnit[2]]}projectFlat(e){if(this.isGeospatial){let t=Cm(e);return t[1]=Ul(t[1],-318,830),t}return e}unprojectFlat(e){return this.isGeospatial?wm(e):e}getBounds(e={}){let t={targetZ:e.z||0},n=this.unproject([0,0],t),r=this.unproject([this.width,0],t),i=this.unproject([0,this.height],t),a=this.unproject([this.width,this.height],t);return[Math.min(n[0],r[0],i[0],a[0]),Math.min(n[1],r[1],i[1],a[1]),Math.max(n[0],r[0],i[0],a[0]),Math.max(n[1],r[1],i[1],a[1])]}getDistanceScales(e){return e&&this.isGeospatial?Dm({longitude:e[0],latitude:e[1],highPrecision:!0}):this.distanceScales}containsPixel({x:e,y:t,width:n=1,height:r=1}){return e<this.x+this.width&&this.x<e+n&&t<this.y+this.height&&this.y<t+r}getFrustumPlanes(){return this._frustumPlanes.near||Object.assign(this._frustumPlanes,Ph(this.viewProjectionMatrix)),this._frustumPlanes}panByPosition(e,t,n){return null}_initProps(e){let t=e.longitude,n=e.latitude;this.isGeospatial&&(Number.isFinite(e.zoom)||(this.zoom=Tm({latitude:n})+Math.log2(this.focalDistance)),this.distanceScales=e.distanceScales||Dm({latitude:n,longitude:t}));let r=2**this.zoom;this.scale=r;let{position:i,modelMatrix:a}=e,o=Uh;if(i&&(o=a?new nd(a).transformAsVector(i,[]):i),this.isGeospatial){let e=this.projectPosition([t,n,0]);this.center=new Du(o).scale(this.distanceScales.unitsPerMeter).add(e)}else this.center=this.projectPosition(o)}_initMatrices(e){let{viewMatrix:t=Hh,projectionMatrix:n=null,orthographic:r=!1,fovyRadians:i,fovy:a=75,near:o=.1,far:s=1e3,padding:c=null,focalDistance:l=1}=e;this.viewMatrixUncentered=t,this.viewMatrix=new nd().multiplyRight(t).translate(new Du(this.center).negate()),this.projectionMatrix=n||Gh({width:this.width,height:this.height,orthographic:r,fovyRadians:i||a*Vh,focalDistance:l,padding:c,near:o,far:s});let u=jh();Nu(u,u,this.projectionMatrix),Nu(u,u,this.viewMatrix),this.viewProjectionMatrix=u,this.viewMatrixInverse=ju([],this.viewMatrix)||this.viewMatrix,this.cameraPosition=Nh(this.viewMatrixInverse);let d=jh(),f=jh();Fu(d,d,[this.width/2,-this.height/2,1]),Pu(d,d,[1,-1,0]),Nu(f,d,this.viewProjectionMatrix),this.pixelProjectionMatrix=f,this.pixelUnprojectionMatrix=ju(jh(),this.pixelProjectionMatrix),this.pixelUnprojectionMatrix||K.warn(`Pixel project matrix not invertible`)()}};Kh.displayName=`Viewport`;var qh=class e extends Kh{constructor(e={}){let{latitude:t=0,longitude:n=0,zoom:r=0,pitch:i=0,bearing:a=0,nearZMultiplier:o=.1,farZMultiplier:s=1.01,nearZ:c,farZ:l,orthographic:u=!1,projectionMatrix:d,repeat:f=!1,worldOffset:p=0,position:m,padding:h,legacyMeterSizes:g=!1}=e,{width:_,height:v,altitude:y=1.5}=e,b=2**r;_||=1,v||=1;let x,S=null;if(d)y=d[5]/2,x=jm(y);else{e.fovy?(x=e.fovy,y=Mm(x)):x=jm(y);let n;if(h){let{top:e=0,bottom:t=0}=h;n=[0,Ul((e+v-t)/2,0,v)-v/2]}S=Am({width:_,height:v,scale:b,center:m&&[0,0,m[2]*Em(t)],offset:n,pitch:i,fovy:x,nearZMultiplier:o,farZMultiplier:s}),Number.isFinite(c)&&(S.near=c),Number.isFinite(l)&&(S.far=l)}let C=km({height:v,pitch:i,bearing:a,scale:b,altitude:y});p&&(C=new nd().translate([512*p,0,0]).multiplyLeft(C)),super({...e,width:_,height:v,viewMatrix:C,longitude:n,latitude:t,zoom:r,...S,fovy:x,focalDistance:y}),this.latitude=t,this.longitude=n,this.zoom=r,this.pitch=i,this.bearing=a,this.altitude=y,this.fovy=x,this.orthographic=u,this._subViewports=f?[]:null,this._pseudoMeters=g,Object.freeze(this)}get subViewports(){if(this._subViewports&&!this._subViewports.length){let t=this.getBounds(),n=Math.floor((t[0]+180)/360),r=Math.ceil((t[2]-180)/360);for(let t=n;t<=r;t++){let n=t?new e({...this,worldOffset:t}):this;this._subViewports.push(n)}}return this._subViewports}equals(t){return t instanceof e&&t._pseudoMeters===this._pseudoMeters&&super.equals(t)}projectPosition(e){if(this._pseudoMeters)return super.projectPosition(e);let[t,n]=this.projectFlat(e);return[t,n,(e[2]||0)*Em(e[1])]}unprojectPosition(e){if(this._pseudoMeters)return super.unprojectPosition(e);let[t,n]=this.unprojectFlat(e);return[t,n,(e[2]||0)/Em(n)]}addMetersToLngLat(e,t){return Om(e,t)}panByPosition(e,t,n){let r=Pm(t,this.pixelUnprojectionMatrix),i=ru([],this.projectFlat(e),au([],r)),a=ru([],this.center,i),[o,s]=this.unprojectFlat(a);return{longitude:o,latitude:s}}panByPosition3D(e,t){let n=e[2]||0,r=cu([],e,this.unproject(t,{targetZ:n}));return{longitude:this.longitude+r[0],latitude:this.latitude+r[1]}}getBounds(e={}){let t=Rm(this,e.z||0);return[Math.min(t[0][0],t[1][0],t[2][0],t[3][0]),Math.min(t[0][1],t[1][1],t[2][1],t[3][1]),Math.max(t[0][0],t[1][0],t[2][0],t[3][0]),Math.max(t[0][1],t[1][1],t[2][1],t[3][1])]}fitBounds(t,n={}){let{width:r,height:i}=this,{longitude:a,latitude:o,zoom:s}=Fm({width:r,height:i,bounds:t,...n});return new e({width:r,height:i,longitude:a,latitude:o,zoom:s})}};qh.displayName=`WebMercatorViewport`;var Jh=[0,0,0];function Yh(e,t,n=!1){let r=t.projectPosition(e);if(n&&t instanceof qh){let[n,i,a=0]=e;r[2]=a*t.getDistanceScales([n,i]).unitsPerMeter[2]}return r}function Xh(e){let{viewport:t,modelMatrix:n,coordinateOrigin:r}=e,{coordinateSystem:i,fromCoordinateSystem:a,fromCoordinateOrigin:o}=e;return i==="default"&&(i=t.isGeospatial?`lnglat`:`cartesian`),a===void 0?a=i:a==="default"&&(a=t.isGeospatial?`lnglat`:`cartesian`),o===void 0&&(o=r),{viewport:t,coordinateSystem:i,coordinateOrigin:r,modelMatrix:n,fromCoordinateSystem:a,fromCoordinateOrigin:o}}function Zh(e,{viewport:t,modelMatrix:n,coordinateSystem:r,coordinateOrigin:i,offsetMode:a}){let[o,s,c=0]=e;switch(n&&([o,s,c]=Yu([],[o,s,c,1],n)),r){case`default`:return Zh(e,{viewport:t,modelMatrix:n,coordinateSystem:t.isGeospatial?`lnglat`:`cartesian`,coordinateOrigin:i,offsetMode:a});case`lnglat`:return Yh([o,s,c],t,a);case`lnglat-offsets`:return Yh([o+i[0],s+i[1],c+(i[2]||0)],t,a);case`meter-offsets`:return Yh(Om(i,[o,s,c]),t,a);case`cartesian`:return t.isGeospatial?[o+i[0],s+i[1],c+i[2]]:t.projectPosition([o,s,c]);default:throw Error(`Invalid coordinateSystem: ${r}`)}}function Qh(e,t){let{viewport:n,coordinateSystem:r,coordinateOrigin:i,modelMatrix:a,fromCoordinateSystem:o,fromCoordinateOrigin:s}=Xh(t),{autoOffset:c=!0}=t,{geospatialOrigin:l=Jh,shaderCoordinateOrigin:u=Jh,offsetMode:d=!1}=c?Qp(n,r,i):{},f=Zh(e,{viewport:n,modelMatrix:a,coordinateSystem:o,coordinateOrigin:s,offsetMode:d});return d&&wu(f,f,n.projectPosition(l||u)),f}var $h=class{id;topology;vertexCount;indices;attributes;bufferLayout;userData={};constructor(e){let{attributes:t={},indices:n=null,vertexCount:r=null}=e;this.id=e.id||k(`geometry`),this.topology=e.topology,n&&(this.indices=ArrayBuffer.isView(n)?{value:n,size:1}:n),this.attributes={};for(let[e,n]of Object.entries(t)){let t=ArrayBuffer.isView(n)?{value:n}:n;if(!ArrayBuffer.isView(t.value))throw Error(`${this._print(e)}: must be typed array or object with value as typed array`);if(e!==`POSITION`&&e!==`positions`||t.size||(t.size=3),e===`indices`){if(this.indices)throw Error(`Multiple indices detected`);this.indices=t}else{let n=eg(e),r=Object.keys(this.attributes).find(e=>eg(e)===n);r&&delete this.attributes[r],this.attributes[e]=t}}this.indices&&this.indices.isIndexed!==void 0&&(this.indices=Object.assign({},this.indices),delete this.indices.isIndexed),this.vertexCount=r||this._calculateVertexCount(this.attributes,this.indices),this.bufferLayout=e.bufferLayout||tg(this.attributes)}getVertexCount(){return this.vertexCount}getAttributes(){return this.indices?{indices:this.indices,...this.attributes}:this.attributes}_print(e){return`Geometry ${this.id} attribute ${e}`}_setAttributes(e,t){return this}_calculateVertexCount(e,t){if(t)return t.value.length;let n=1/0;for(let t of Object.values(e)){if(!t)continue;let{value:e,size:r,constant:i}=t;!i&&e&&r!==void 0&&r>=1&&(n=Math.min(n,e.length/r))}return n}};function eg(e){switch(e){case`POSITION`:return`positions`;case`NORMAL`:return`normals`;case`TEXCOORD_0`:return`texCoords`;case`TEXCOORD_1`:return`texCoords1`;case`COLOR_0`:return`colors`;default:return e}}function tg(e){let t=[];for(let[n,r]of Object.entries(e)){if(!r)continue;let{value:e,size:i,normalized:a}=r;if(i===void 0)throw Error(`Attribute ${n} is missing a size`);t.push({name:eg(n),format:s.getVertexFormatFromAttribute(e,i,a)})}return t}function ng(e,t={}){let n=t.bufferName||`geometry`;if(rg(e,n))return e;let r=t.minAttributeAlignment||4,i=ig(e,t.attributes),a=[],o=0,c=1/0;for(let[e,t]of i){if(!t)continue;if(t.constant)throw Error(`Attribute ${e} is constant`);let{value:n,size:i,normalized:l}=t;if(!ArrayBuffer.isView(n))throw Error(`Attribute ${e} is missing typed array data`);if(i===void 0)throw Error(`Attribute ${e} is missing a size`);let u=s.getVertexFormatFromAttribute(n,i,l),d=s.getVertexFormatInfo(u);o=og(o,r),a.push({sourceName:e,attributeName:eg(e),value:n,size:i,format:u,byteOffset:o,byteLength:d.byteLength}),o+=d.byteLength;let f=n.length/i;if(!Number.isInteger(f))throw Error(`Attribute ${e} length is not divisible by size`);c=Math.min(c,f)}if(a.length===0||!Number.isFinite(c))throw Error(`Geometry ${e.id} has no interleavable attributes`);let l=og(o,r),u=new ArrayBuffer(c*l);for(let e of a)ag(u,c,l,e);return new $h({id:e.id,topology:e.topology||`triangle-list`,vertexCount:e.vertexCount,indices:e.indices,attributes:{[n]:{value:new Uint8Array(u),size:l,byteStride:l}},bufferLayout:[{name:n,stepMode:`vertex`,byteStride:l,attributes:a.map(e=>({attribute:e.attributeName,format:e.format,byteOffset:e.byteOffset}))}]})}function rg(e,t){if(e.bufferLayout.length!==1)return!1;let n=e.bufferLayout[0];return n.name===t&&!!n.attributes?.length&&!!e.attributes[t]}function ig(e,t){return t?t.map(t=>[t,e.attributes[t]]):Object.entries(e.attributes)}function ag(e,t,n,r){let i=r.value.constructor,a=i.BYTES_PER_ELEMENT;if(r.byteOffset%a!==0||n%a!==0)throw Error(`Attribute ${r.sourceName} is not aligned to its component type`);let o=new i(e),s=r.value,c=r.byteOffset/a,l=n/a;for(let e=0;e<t;e++){let t=e*r.size,n=e*l+c;for(let e=0;e<r.size;e++)o[n+e]=s[t+e]}}function og(e,t){return Math.ceil(e/t)*t}var sg=1,cg=1,lg=class{time=0;channels=new Map;animations=new Map;playing=!1;lastEngineTime=-1;constructor(){}addChannel(e){let{delay:t=0,duration:n=1/0,rate:r=1,repeat:i=1}=e,a=sg++,o={time:0,delay:t,duration:n,rate:r,repeat:i};return this._setChannelTime(o,this.time),this.channels.set(a,o),a}removeChannel(e){this.channels.delete(e);for(let[t,n]of this.animations)n.channel===e&&this.detachAnimation(t)}isFinished(e){let t=this.channels.get(e);return t!==void 0&&this.time>=t.delay+t.duration*t.repeat}getTime(e){if(e===void 0)return this.time;let t=this.channels.get(e);return t===void 0?-1:t.time}setTime(e){this.time=Math.max(0,e);let t=this.channels.values();for(let e of t)this._setChannelTime(e,this.time);let n=this.animations.values();for(let e of n){let{animation:t,channel:n}=e;t.setTime(this.getTime(n))}}play(){this.playing=!0}pause(){this.playing=!1,this.lastEngineTime=-1}reset(){this.setTime(0)}attachAnimation(e,t){let n=cg++;return this.animations.set(n,{animation:e,channel:t}),e.setTime(this.getTime(t)),n}detachAnimation(e){this.animations.delete(e)}update(e){this.playing&&(this.lastEngineTime===-1&&(this.lastEngineTime=e),this.setTime(this.time+(e-this.lastEngineTime)),this.lastEngineTime=e)}_setChannelTime(e,t){let n=t-e.delay;n>=e.duration*e.repeat?e.time=e.duration*e.rate:(e.time=Math.max(0,n)%e.duration,e.time*=e.rate)}};function ug(e){let t=typeof window<`u`?window.requestAnimationFrame||window.webkitRequestAnimationFrame||window.mozRequestAnimationFrame:null;return t?t.call(window,e):setTimeout(()=>e(typeof performance<`u`?performance.now():Date.now()),1e3/60)}function dg(e){let t=typeof window<`u`?window.cancelAnimationFrame||window.webkitCancelAnimationFrame||window.mozCancelAnimationFrame:null;t?t.call(window,e):clearTimeout(e)}var fg=0,pg=`Animation Loop`,mg={requestAnimationFrame:e=>ug(e),cancelAnimationFrame:e=>dg(e)},hg=class e{static defaultAnimationLoopProps={device:null,onAddHTML:()=>``,onInitialize:async()=>null,onRender:()=>{},onFinalize:()=>{},onError:e=>{console.error(e)},stats:void 0,autoResizeViewport:!1,animationFrameProvider:mg};device=null;canvas=null;props;animationProps=null;timeline=null;stats;sharedStats;cpuTime;gpuTime;frameRate;display;_needsRedraw=`initialized`;_initialized=!1;_running=!1;_animationFrameId=null;_nextFramePromise=null;_resolveNextFrame=null;_cpuStartTime=0;_error=null;_lastFrameTime=0;constructor(t){if(this.props={...e.defaultAnimationLoopProps,...t},t=this.props,!t.device)throw Error(`No device provided`);this.stats=t.stats||new so({id:`animation-loop-${fg++}`}),this.sharedStats=Qc.stats.get(pg),this.frameRate=this.stats.get(`Frame Rate`),this.frameRate.setSampleSize(1),this.cpuTime=this.stats.get(`CPU Time`),this.gpuTime=this.stats.get(`GPU Time`),this.setProps({autoResizeViewport:t.autoResizeViewport,animationFrameProvider:t.animationFrameProvider}),this.start=this.start.bind(this),this.stop=this.stop.bind(this),this._onMousemove=this._onMousemove.bind(this),this._onMouseleave=this._onMouseleave.bind(this)}destroy(){this.stop(),this._setDisplay(null),this.device?._disableDebugGPUTime()}delete(){this.destroy()}reportError(t){this._error=t,this.props.onError(t),this.props.onError===e.defaultAnimationLoopProps.onError&&typeof window<`u`&&typeof ErrorEvent<`u`&&window.dispatchEvent(new ErrorEvent(`error`,{error:t,message:t.message}))}setNeedsRedraw(e){return this._needsRedraw=this._needsRedraw||e,this}needsRedraw(){let e=this._needsRedraw;return this._needsRedraw=!1,e}setProps(e){if(`autoResizeViewport`in e&&(this.props.autoResizeViewport=e.autoResizeViewport||!1),`animationFrameProvider`in e){let t=e.animationFrameProvider||mg;if(t!==this.props.animationFrameProvider){let e=this._animationFrameId!==null;e&&this._cancelAnimationFrame(),this.props.animationFrameProvider=t,e&&this._requestAnimationFrame()}}return this}async start(){if(this._running)return this;this._running=!0;try{if(!this._initialized){if(this._initialized=!0,await this._initDevice(),this._initialize(),!this._running)return null;await this.props.onInitialize(this._getAnimationProps())}return this._running?(this._cancelAnimationFrame(),this._requestAnimationFrame(),this):null}catch(e){let t=e instanceof Error?e:Error(`Unknown error`);throw this.props.onError(t),t}}stop(){if(this._running){let e=this.animationProps;this._cancelAnimationFrame(),this._nextFramePromise=null,this._resolveNextFrame=null,this._running=!1,this._lastFrameTime=0,e&&this.props.onFinalize(e)}return this}redraw(e,t=null){return this.device?.isLost||this._error||(this._beginFrameTimers(e),this._setupFrame(),this.animationProps&&(this.animationProps.animationFrame=t),this._updateAnimationProps(),this._renderFrame(this._getAnimationProps()),this._clearNeedsRedraw(),this._resolveNextFrame&&=(this._resolveNextFrame(this),this._nextFramePromise=null,null),this._endFrameTimers()),this}attachTimeline(e){return this.timeline=e,this.timeline}detachTimeline(){this.timeline=null}waitForRender(){return this.setNeedsRedraw(`waitForRender`),this._nextFramePromise||=new Promise(e=>{this._resolveNextFrame=e}),this._nextFramePromise}async toDataURL(){if(this.setNeedsRedraw(`toDataURL`),await this.waitForRender(),this.canvas instanceof HTMLCanvasElement)return this.canvas.toDataURL();throw Error(`OffscreenCanvas`)}_initialize(){this._startEventHandling(),this._initializeAnimationProps(),this._updateAnimationProps(),this._resizeViewport(),this.device?._enableDebugGPUTime()}_setDisplay(e){this.display&&(this.display.destroy(),this.display.animationLoop=null),e&&(e.animationLoop=this),this.display=e}_requestAnimationFrame(){this._running&&(this._animationFrameId=this.props.animationFrameProvider.requestAnimationFrame(this._animationFrame.bind(this)))}_cancelAnimationFrame(){this._animationFrameId!==null&&(this.props.animationFrameProvider.cancelAnimationFrame(this._animationFrameId),this._animationFrameId=null)}_animationFrame(e,t){if(this._running)try{this.redraw(e,t??null),this._requestAnimationFrame()}catch(e){let t=e instanceof Error?e:Error(String(e));this.reportError(t),this.stop()}}_renderFrame(e){if(this.display){this.display._renderFrame(e);return}let t=this.props.onRender(this._getAnimationProps());this.device&&t!==!1&&this.device.submit()}_clearNeedsRedraw(){this._needsRedraw=!1}_setupFrame(){this._resizeViewport()}_initializeAnimationProps(){let e=this.device?.getDefaultCanvasContext();if(!this.device||!e)throw Error(`loop`);let t=e?.canvas,n=e.props.useDevicePixels;this.animationProps={animationLoop:this,device:this.device,canvasContext:e,canvas:t,useDevicePixels:n,timeline:this.timeline,needsRedraw:!1,width:1,height:1,aspect:1,time:0,startTime:Date.now(),engineTime:0,tick:0,tock:0,animationFrame:null,_mousePosition:null}}_getAnimationProps(){if(!this.animationProps)throw Error(`animationProps`);return this.animationProps}_updateAnimationProps(){if(!this.animationProps)return;let{width:e,height:t,aspect:n}=this._getSizeAndAspect();(e!==this.animationProps.width||t!==this.animationProps.height)&&this.setNeedsRedraw(`drawing buffer resized`),n!==this.animationProps.aspect&&this.setNeedsRedraw(`drawing buffer aspect changed`),this.animationProps.width=e,this.animationProps.height=t,this.animationProps.aspect=n,this.animationProps.needsRedraw=this._needsRedraw,this.animationProps.engineTime=Date.now()-this.animationProps.startTime,this.timeline&&this.timeline.update(this.animationProps.engineTime),this.animationProps.tick=Math.floor(this.animationProps.time/1e3*60),this.animationProps.tock++,this.animationProps.time=this.timeline?this.timeline.getTime():this.animationProps.engineTime}async _initDevice(){if(this.device=await this.props.device,!this.device)throw Error(`No device provided`);this.canvas=this.device.getDefaultCanvasContext().canvas||null}_createInfoDiv(){if(this.canvas&&this.props.onAddHTML){let e=document.createElement(`div`);document.body.appendChild(e),e.style.position=`relative`;let t=document.createElement(`div`);t.style.position=`absolute`,t.style.left=`10px`,t.style.bottom=`10px`,t.style.width=`300px`,t.style.background=`white`,this.canvas instanceof HTMLCanvasElement&&e.appendChild(this.canvas),e.appendChild(t);let n=this.props.onAddHTML(t);n&&(t.innerHTML=n)}}_getSizeAndAspect(){if(!this.device)return{width:1,height:1,aspect:1};let[e,t]=this.device.getDefaultCanvasContext().getDrawingBufferSize();return{width:e,height:t,aspect:e>0&&t>0?e/t:1}}_resizeViewport(){this.props.autoResizeViewport&&this.device.gl&&this.device.gl.viewport(0,0,this.device.gl.drawingBufferWidth,this.device.gl.drawingBufferHeight)}_beginFrameTimers(e){let t=e??(typeof performance<`u`?performance.now():Date.now());if(this._lastFrameTime){let e=t-this._lastFrameTime;e>0&&this.frameRate.addTime(e)}this._lastFrameTime=t,this.device?._isDebugGPUTimeEnabled()&&this._consumeEncodedGpuTime(),this.cpuTime.timeStart()}_endFrameTimers(){this.device?._isDebugGPUTimeEnabled()&&this._consumeEncodedGpuTime(),this.cpuTime.timeEnd(),this._updateSharedStats()}_consumeEncodedGpuTime(){if(!this.device)return;let e=this.device.commandEncoder._gpuTimeMs;e!==void 0&&(this.gpuTime.addTime(e),this.device.commandEncoder._gpuTimeMs=void 0)}_updateSharedStats(){if(this.stats!==this.sharedStats){for(let e of Object.keys(this.sharedStats.stats))this.stats.stats[e]||delete this.sharedStats.stats[e];this.stats.forEach(e=>{let t=this.sharedStats.get(e.name,e.type);t.sampleSize=e.sampleSize,t.time=e.time,t.count=e.count,t.samples=e.samples,t.lastTiming=e.lastTiming,t.lastSampleTime=e.lastSampleTime,t.lastSampleCount=e.lastSampleCount,t._count=e._count,t._time=e._time,t._samples=e._samples,t._startTime=e._startTime,t._timerPending=e._timerPending})}}_startEventHandling(){this.canvas&&(this.canvas.addEventListener(`mousemove`,this._onMousemove.bind(this)),this.canvas.addEventListener(`mouseleave`,this._onMouseleave.bind(this)))}_onMousemove(e){e instanceof MouseEvent&&(this._getAnimationProps()._mousePosition=[e.offsetX,e.offsetY])}_onMouseleave(e){this._getAnimationProps()._mousePosition=null}},gg=class{id;userData={};topology;bufferLayout=[];vertexCount;indices;attributes;constructor(e){if(this.id=e.id||k(`geometry`),this.topology=e.topology,this.indices=e.indices||null,this.attributes=e.attributes,this.vertexCount=e.vertexCount,this.bufferLayout=e.bufferLayout||[],this.indices&&!(this.indices.usage&n.INDEX))throw Error(`Index buffer must have INDEX usage`)}destroy(){this.indices?.destroy();for(let e of Object.values(this.attributes))e.destroy()}getVertexCount(){return this.vertexCount}getAttributes(){return this.attributes}getIndexes(){return this.indices||null}_calculateVertexCount(e){return e.byteLength/12}};function _g(e,t){if(t instanceof gg)return t;let n=ng(t),r=vg(e,n),{attributes:i,bufferLayout:a}=yg(e,n);return new gg({topology:n.topology||`triangle-list`,bufferLayout:a,vertexCount:n.vertexCount,indices:r,attributes:i})}function vg(e,t){if(!t.indices)return;let r=t.indices.value;return e.createBuffer({usage:n.INDEX,data:r})}function yg(e,t){let n={};for(let[r,i]of Object.entries(t.attributes)){let a=t.bufferLayout.find(e=>e.name===r)?.name||eg(r);i&&(n[a]=e.createBuffer({data:i.value,id:`${r}-buffer`}))}return{attributes:n,bufferLayout:t.bufferLayout,vertexCount:t.vertexCount}}function bg(e,t){let n={},r=`Values`;if(e.attributes.length===0&&!e.varyings?.length)return{"No attributes or varyings":{[r]:`N/A`}};for(let t of e.attributes)if(t){let e=`${t.location} ${t.name}: ${t.type}`;n[`in ${e}`]={[r]:t.stepMode||`vertex`}}for(let t of e.varyings||[]){let e=`${t.location} ${t.name}`;n[`out ${e}`]={[r]:JSON.stringify(t)}}return n}var xg=`__debugFramebufferState`,Sg=8;function Cg(e,t,n){if(e.device.type!==`webgl`)return;let r=Eg(e.device);r.flushing||(Og(e)?wg(e,n,r):t&&Dg(t)&&t.handle!==null&&(r.queuedFramebuffers.includes(t)||r.queuedFramebuffers.push(t)))}function wg(e,t,n){if(n.queuedFramebuffers.length===0)return;let{gl:r}=e.device,i=r.getParameter(36010),a=r.getParameter(36006),[o,s]=e.device.getDefaultCanvasContext().getDrawingBufferSize(),c=kg(t.top,Sg),l=kg(t.left,Sg);n.flushing=!0;try{for(let e of n.queuedFramebuffers){let[n,i,a,u,d]=Tg({framebuffer:e,targetWidth:o,targetHeight:s,topPx:c,leftPx:l,minimap:t.minimap});r.bindFramebuffer(36008,e.handle),r.bindFramebuffer(36009,null),r.blitFramebuffer(0,0,e.width,e.height,n,i,a,u,16384,9728),c+=d+Sg}}finally{r.bindFramebuffer(36008,i),r.bindFramebuffer(36009,a),n.flushing=!1}}function Tg(e){let{framebuffer:t,targetWidth:n,targetHeight:r,topPx:i,leftPx:a,minimap:o}=e,s=o?Math.max(Math.floor(n/4),1):n,c=o?Math.max(Math.floor(r/4),1):r,l=Math.min(s/t.width,c/t.height),u=Math.max(Math.floor(t.width*l),1),d=Math.max(Math.floor(t.height*l),1),f=a,p=Math.max(r-i-d,0);return[f,p,f+u,p+d,d]}function Eg(e){return e.userData[xg]||={flushing:!1,queuedFramebuffers:[]},e.userData[xg]}function Dg(e){return`colorAttachments`in e}function Og(e){let t=e.props.framebuffer;return!t||t.handle===null}function kg(e,t){if(!e)return t;let n=Number.parseInt(e,10);return Number.isFinite(n)?n:t}function Ag(e,t,n){if(e===t)return!0;if(!n||!e||!t)return!1;if(Array.isArray(e)){if(!Array.isArray(t)||e.length!==t.length)return!1;for(let r=0;r<e.length;r++)if(!Ag(e[r],t[r],n-1))return!1;return!0}if(Array.isArray(t))return!1;if(typeof e==`object`&&typeof t==`object`){let r=Object.keys(e),i=Object.keys(t);if(r.length!==i.length)return!1;for(let i of r)if(!t.hasOwnProperty(i)||!Ag(e[i],t[i],n-1))return!1;return!0}return!1}var jg=class{bufferLayouts;constructor(e){this.bufferLayouts=e}getBufferLayout(e){return this.bufferLayouts.find(t=>t.name===e)||null}getAttributeNamesForBuffer(e){return he(e)}mergeBufferLayouts(e,t){let n=[...e];for(let e of t){let t=n.findIndex(t=>t.name===e.name);t<0?n.push(e):n[t]=e}return n}};function Mg(e,t){let n=pe(e),r=t.slice();return r.sort((e,t)=>_e(he(e).map(e=>n[e]))-_e(he(t).map(e=>n[e]))),r}function Ng(e){return typeof e==`object`&&!!e&&`resolveTextureBinding`in e&&typeof e.resolveTextureBinding==`function`}function Pg(e){return e?.type===`texture`||e?.type===`external-texture`}function Fg(e,t,n){let r=ge(e,t,{ignoreWarnings:!0});return Pg(r)?r:e.bindings.length===0&&n?.fallbackGroup!==void 0?{type:`texture`,name:t,group:n.fallbackGroup,location:0}:null}var Ig=2,Lg=1e4,Rg=`render pipeline initialization failed`,zg=[`stencil8`,`depth16unorm`,`depth24plus`,`depth24plus-stencil8`,`depth32float`,`depth32float-stencil8`],Bg=class e{static defaultProps={...a.defaultProps,source:void 0,vs:null,fs:null,id:`unnamed`,handle:void 0,userData:{},defines:{},modules:[],plugins:[],geometry:null,indexBuffer:null,indexCount:void 0,firstVertex:0,firstIndex:0,attributes:{},constantAttributes:{},bindings:{},uniforms:{},varyings:[],isInstanced:void 0,instanceCount:0,vertexCount:0,shaderInputs:void 0,material:void 0,pipelineFactory:void 0,shaderFactory:void 0,transformFeedback:void 0,shaderAssembler:P.getDefaultShaderAssembler(`glsl`),debugShaders:void 0,disableWarnings:void 0};device;id;source;vs;fs;pipelineFactory;shaderFactory;userData={};parameters;topology;bufferLayout;isInstanced=void 0;instanceCount=0;vertexCount;indexCount;firstVertex;firstIndex;indexBuffer=null;bufferAttributes={};constantAttributes={};bindings={};vertexArray;transformFeedback=null;pipeline;shaderInputs;material=null;_uniformStore;_attributeInfos={};_gpuGeometry=null;props;_dynamicIndexBufferSource=null;_dynamicAttributeBufferSources={};_colorAttachmentFormats;_depthStencilAttachmentFormat;_pipelineNeedsUpdate=`newly created`;_needsRedraw=`initializing`;_drawBlockedReason=!1;_destroyed=!1;_vertexCountSet=!1;_lastDrawTimestamp=-1;_bindingTable=[];get[Symbol.toStringTag](){return`Model`}toString(){return`Model(${this.id})`}constructor(t,n){let r=e.defaultProps.shaderAssembler,i=n.vertexCount!==void 0;this.props={...e.defaultProps,...n,shaderAssembler:n.shaderAssembler??(Vg(r,t.info.shadingLanguage)?r:P.getDefaultShaderAssembler(t.info.shadingLanguage))},this._vertexCountSet=i,n=this.props,this.id=n.id||k(`model`),this.device=t,Object.assign(this.userData,n.userData),this.material=n.material||null;let a=qg(t),o=x(this.props.plugins,a.shaderLanguage),s=ce(this.props.modules,o.modules),c=Object.fromEntries(s.map(e=>[e.name,e])),l=n.shaderInputs||new oe(c,{disableWarnings:this.props.disableWarnings});n.shaderInputs&&o.modules.length>0&&l.addModules(o.modules),this.setShaderInputs(l);let u=te(this.props.modules,l.getModules()),d={...o.defines,...this.props.defines};if(this.device.type===`webgl`&&(this.props._uniformBlockLayouts=D(u)),this.props.shaderLayout=ie(this.props.shaderLayout,u)||null,this.device.type===`webgpu`&&this.props.source){let e=this.props.shaderAssembler;p(Vg(e,`wgsl`));let{source:n,getUniforms:r,bindingTable:i,shaderLayout:s}=e.assembleWGSLShader({platformInfo:a,...this.props,modules:u,defines:d,pluginInjections:o.injections,pluginVertexInputs:o.vertexInputs,pluginVaryings:o.varyings});this.source=n,this._getModuleUniforms=r,this._bindingTable=i;let c=Hg(s??t.getShaderLayout?.(this.source),o.vertexInputs),l=O(this.props.shaderLayout,c,Object.keys(o.vertexInputs));this.props.shaderLayout=ie(l||null,u)||null}else{let e=this.props.shaderAssembler;p(Vg(e,`glsl`));let{vs:t,fs:n,getUniforms:r}=e.assembleGLSLShaderPair({platformInfo:a,...this.props,modules:u,defines:d,pluginInjections:o.injections,pluginVertexInputs:o.vertexInputs,pluginVaryings:o.varyings});this.vs=t,this.fs=n,this._getModuleUniforms=r,this._bindingTable=[]}this.vertexCount=this.props.vertexCount,this.indexCount=this.props.indexCount,this.firstVertex=this.props.firstVertex,this.firstIndex=this.props.firstIndex,this.instanceCount=this.props.instanceCount,this.topology=this.props.topology,this.bufferLayout=this.props.bufferLayout,this.parameters=this.props.parameters,this._colorAttachmentFormats=this.props.colorAttachmentFormats,this._depthStencilAttachmentFormat=this.props.depthStencilAttachmentFormat,n.geometry&&this.setGeometry(n.geometry),this.pipelineFactory=n.pipelineFactory||S.getDefaultPipelineFactory(this.device),this.shaderFactory=n.shaderFactory||se.getDefaultShaderFactory(this.device),this.pipeline=this._updatePipeline(),this.vertexArray=t.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry),`isInstanced`in n&&(this.isInstanced=n.isInstanced),n.instanceCount&&this.setInstanceCount(n.instanceCount),n.vertexCount&&this.setVertexCount(n.vertexCount),n.indexBuffer&&this.setIndexBuffer(n.indexBuffer),n.attributes&&this.setAttributes(n.attributes),n.constantAttributes&&this.setConstantAttributes(n.constantAttributes),n.bindings&&this.setBindings(n.bindings),n.transformFeedback&&(this.transformFeedback=n.transformFeedback)}destroy(){this._destroyed||=(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.pipeline.vs),this.pipeline.fs&&this.pipeline.fs!==this.pipeline.vs&&this.shaderFactory.release(this.pipeline.fs),this._uniformStore.destroy(),this._gpuGeometry?.destroy(),!0)}needsRedraw(){this._getBindingsUpdateTimestamp()>this._lastDrawTimestamp&&this.setNeedsRedraw(`contents of bound textures or buffers updated`);let e=this._needsRedraw;return this._needsRedraw=!1,e}setNeedsRedraw(e){this._needsRedraw||=e}getBindingDebugTable(){return this._bindingTable}predraw(e){this._syncDynamicBuffers(),this.updateShaderInputs(e),this.material?.updateShaderInputs(e),this.pipeline=this._updatePipeline()}draw(e){if(this._drawBlockedReason&&!this._pipelineNeedsUpdate)return i.info(Ig,`>>> DRAWING ABORTED ${this.id}: ${this._drawBlockedReason}`)(),!1;let t=this._areBindingsLoading();if(t)return i.info(Ig,`>>> DRAWING ABORTED ${this.id}: ${t} not loaded`)(),!1;this._syncAttachmentFormats(e);try{e.pushDebugGroup(`${this}.predraw(${e})`),this.device.type===`webgpu`?(this.updateShaderInputs(),this.material?.updateShaderInputs(),this._syncDynamicBuffers(),this.pipeline=this._updatePipeline()):this.predraw(this.device.commandEncoder)}finally{e.popDebugGroup()}let n,r=this.pipeline.isErrored;try{if(e.pushDebugGroup(`${this}.draw(${e})`),this._logDrawCallStart(),this.pipeline=this._updatePipeline(),r=this.pipeline.isErrored,r)i.info(Ig,`>>> DRAWING ABORTED ${this.id}: ${Rg}`)(),n=!1;else{let t=this.vertexArray.getDrawValidationError();if(t)i.info(Ig,`>>> DRAWING ABORTED ${this.id}: ${t}`)(),this._drawBlockedReason=t,n=!1;else{let t=this._getCurrentShaderLayout(),r=this._getBindings(t),i=this._getBindGroups(t,r),{indexBuffer:a}=this.vertexArray,o=a?this.indexCount??(this._vertexCountSet?this.vertexCount:a.byteLength/(a.indexType===`uint32`?4:2)):void 0;e.setPipeline(this.pipeline),e.setBindings(i,{_bindGroupCacheKeys:this._getBindGroupCacheKeys()}),e.setVertexArray(this.vertexArray),n=this.isInstanced===!0&&this.instanceCount===0||e.draw({isInstanced:this.isInstanced,vertexCount:this.vertexCount,instanceCount:this.isInstanced?this.instanceCount:void 0,indexCount:o,firstVertex:this.firstVertex,firstIndex:this.firstIndex,transformFeedback:this.transformFeedback||void 0,uniforms:this.props.uniforms,parameters:this.parameters,topology:this.topology})}}}finally{e.popDebugGroup(),this._logDrawCallEnd()}return this._logFramebuffer(e),n?(this._lastDrawTimestamp=this.device.timestamp,this._needsRedraw=!1):r?(this._needsRedraw=Rg,this._drawBlockedReason=Rg):this._needsRedraw=this._drawBlockedReason?this._drawBlockedReason:`waiting for resource initialization`,n}setGeometry(e){this._gpuGeometry?.destroy();let t=e&&_g(this.device,e);if(t){this.setTopology(t.topology||`triangle-list`);let e=new jg(this.bufferLayout);this.bufferLayout=e.mergeBufferLayouts(t.bufferLayout,this.bufferLayout),this.vertexArray&&this._setGeometryAttributes(t)}this._gpuGeometry=t}setTopology(e){e!==this.topology&&(this.topology=e,this._setPipelineNeedsUpdate(`topology`))}setBufferLayout(e){let t=new jg(this.bufferLayout),n=this._gpuGeometry?t.mergeBufferLayouts(e,this._gpuGeometry.bufferLayout):e;Ag(n,this.bufferLayout,-1)||(this.bufferLayout=n,this._setPipelineNeedsUpdate(`bufferLayout`),this.pipeline=this._updatePipeline(),this.vertexArray=this.device.createVertexArray({shaderLayout:this.pipeline.shaderLayout,bufferLayout:this.pipeline.bufferLayout}),this._gpuGeometry&&this._setGeometryAttributes(this._gpuGeometry))}setParameters(e){Ag(e,this.parameters,2)||(this.parameters=e,this._setPipelineNeedsUpdate(`parameters`))}setInstanceCount(e){this.instanceCount=e,this.isInstanced===void 0&&e>0&&(this.isInstanced=!0),this.setNeedsRedraw(`instanceCount`)}setVertexCount(e){this.vertexCount=e,this._vertexCountSet=!0,this.setNeedsRedraw(`vertexCount`)}setIndexCount(e){this.indexCount=e,this.setNeedsRedraw(`indexCount`)}setDrawOffsets({firstVertex:e,firstIndex:t}){this.firstVertex=e,this.firstIndex=t,this.setNeedsRedraw(`drawOffsets`)}setShaderInputs(e){this.shaderInputs=e,this._uniformStore=new v(this.device,this.shaderInputs.modules);for(let[e,t]of Object.entries(this.shaderInputs.modules))if(A(t)&&!this.material?.ownsModule(e)){let t=this._uniformStore.getManagedUniformBuffer(e);this.bindings[`${e}Uniforms`]=t}this.setNeedsRedraw(`shaderInputs`)}setMaterial(e){this.material=e,this.setNeedsRedraw(`material`)}updateShaderInputs(e){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues(),e),this.setBindings(this._getNonMaterialBindings(this.shaderInputs.getBindingValues())),this.setNeedsRedraw(`shaderInputs`)}setBindings(e){Object.assign(this.bindings,e),this.setNeedsRedraw(`bindings`)}setTransformFeedback(e){this.transformFeedback=e,this.setNeedsRedraw(`transformFeedback`)}setIndexBuffer(e){let t=e instanceof M?e.buffer:e;this.indexBuffer=t,this._dynamicIndexBufferSource=e instanceof M?{source:e,generation:e.generation}:null,this.vertexArray.setIndexBuffer(t),this.setNeedsRedraw(`indexBuffer`)}setAttributes(e,t){this._drawBlockedReason=!1;let n=t?.disableWarnings??this.props.disableWarnings;e.indices&&i.warn(`Model:${this.id} setAttributes() - indexBuffer should be set using setIndexBuffer()`)(),this.bufferLayout=Mg(this.pipeline.shaderLayout,this.bufferLayout);let r=new jg(this.bufferLayout);for(let[t,a]of Object.entries(e)){let e=a instanceof M?a.buffer:a,o=r.getBufferLayout(t);if(!o){n||i.warn(`Model(${this.id}): Missing layout for buffer "${t}".`)();continue}let s=r.getAttributeNamesForBuffer(o),c=!1;for(let t of s){let r=this._attributeInfos[t];if(r){let t=this.device.type===`webgpu`?this.vertexArray.getBufferSlot(r.bufferName):r.location;if(t===null){n||i.warn(`Model(${this.id}): Missing vertex array slot for buffer "${r.bufferName}".`)();continue}this.vertexArray.setBuffer(t,e),a instanceof M?this._dynamicAttributeBufferSources[t]={source:a,generation:a.generation}:delete this._dynamicAttributeBufferSources[t],c=!0}}!c&&!n&&i.warn(`Model(${this.id}): Ignoring buffer "${e.id}" for unknown attribute "${t}"`)()}this.setNeedsRedraw(`attributes`)}setConstantAttributes(e,t){for(let[n,r]of Object.entries(e)){let e=this._attributeInfos[n];e?this.vertexArray.setConstantWebGL(e.location,r):(t?.disableWarnings??this.props.disableWarnings)||i.warn(`Model "${this.id}: Ignoring constant supplied for unknown attribute "${n}"`)()}this.setNeedsRedraw(`constants`)}_areBindingsLoading(){for(let e of Object.values(this.bindings))if(Ng(e)&&!e.isReady)return e.id;for(let e of Object.values(this.material?.bindings||{}))if(Ng(e)&&!e.isReady)return e.id;return!1}_getBindings(e=this._getCurrentShaderLayout()){let t={};for(let[n,r]of Object.entries(this.bindings)){let i=Ug(n,r,e);i&&(t[n]=i)}return t}_getBindGroups(e=this._getCurrentShaderLayout(),t=this._getBindings(e)){let n=e.bindings.length?ve(e,t):{0:t};if(!this.material)return n;for(let[t,r]of Object.entries(this.material.getBindingsByGroup(e))){let e=Number(t);n[e]={...n[e]||{},...r}}return n}_getBindGroupCacheKeys(){let e=this.material?.getBindGroupCacheKey(3);return e?{3:e}:{}}_getBindingsUpdateTimestamp(){let e=0;this._dynamicIndexBufferSource&&(e=Math.max(e,this._dynamicIndexBufferSource.source.updateTimestamp));for(let t of Object.values(this._dynamicAttributeBufferSources))e=Math.max(e,t.source.updateTimestamp);for(let t of Object.values(this.bindings))t instanceof ue?e=Math.max(e,t.texture.updateTimestamp):t instanceof n||t instanceof me||t instanceof El||t instanceof M?e=Math.max(e,t.updateTimestamp):Ng(t)?e=t.isReady?Math.max(e,t.updateTimestamp):1/0:E(t)&&(e=Math.max(e,(t.buffer instanceof M,t.buffer.updateTimestamp)));return Math.max(e,this.material?.getBindingsUpdateTimestamp()||0)}_setGeometryAttributes(e){let t={...e.attributes};for(let[e]of Object.entries(t))!this.pipeline.shaderLayout.attributes.find(t=>t.name===e)&&e!==`positions`&&delete t[e];this.vertexCount=e.vertexCount,this._vertexCountSet=!0,this.setIndexBuffer(e.indices||null),this.setAttributes(e.attributes,{disableWarnings:!0}),this.setAttributes(t,{disableWarnings:this.props.disableWarnings}),this.setNeedsRedraw(`geometry attributes`)}_setPipelineNeedsUpdate(e){this._pipelineNeedsUpdate||=e,this._drawBlockedReason=!1,this.setNeedsRedraw(e)}_updatePipeline(){if(this._pipelineNeedsUpdate){let e=null,t=null;this.pipeline&&(i.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),e=this.pipeline.vs,t=this.pipeline.fs),this._pipelineNeedsUpdate=!1;let n=this.shaderFactory.createShader({id:`${this.id}-vertex`,stage:`vertex`,source:this.source||this.vs,debugShaders:this.props.debugShaders}),r=null;this.source?r=n:this.fs&&(r=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:`fragment`,source:this.source||this.fs,debugShaders:this.props.debugShaders})),this.pipeline=this.pipelineFactory.createRenderPipeline({...this.props,bindings:void 0,bufferLayout:this.bufferLayout,colorAttachmentFormats:this._colorAttachmentFormats,depthStencilAttachmentFormat:this._depthStencilAttachmentFormat,topology:this.topology,parameters:this.parameters,bindGroups:void 0,vs:n,fs:r}),this._attributeInfos=ye(this.pipeline.shaderLayout,this.bufferLayout),e&&this.shaderFactory.release(e),t&&t!==e&&this.shaderFactory.release(t)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let e=i.level>3?0:Lg;i.level<2||Date.now()-this._lastLogTime<e||(this._lastLogTime=Date.now(),this._logOpen=!0,i.group(Ig,`>>> DRAWING MODEL ${this.id}`,{collapsed:i.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let e=bg(this.pipeline.shaderLayout,this.id);i.table(Ig,e)();let t=this.shaderInputs.getDebugTable();i.table(Ig,t)();let n=this._getAttributeDebugTable();i.table(Ig,this._attributeInfos)(),i.table(Ig,n)(),i.groupEnd(Ig)(),this._logOpen=!1}}_drawCount=0;_logFramebuffer(e){let t=this.device.props.debugFramebuffers;if(this._drawCount++,!t)return;let n=e.props.framebuffer;Cg(e,n,{id:n?.id||`${this.id}-framebuffer`,minimap:!0})}_getAttributeDebugTable(){let e={};for(let[t,n]of Object.entries(this._attributeInfos)){let r=this.vertexArray.attributes[n.location];e[n.location]={name:t,type:n.shaderType,values:r?this._getBufferOrConstantValues(r,n.bufferDataType):`null`}}if(this.vertexArray.indexBuffer){let{indexBuffer:t}=this.vertexArray,n=t.indexType===`uint32`?new Uint32Array(t.debugData):new Uint16Array(t.debugData);e.indices={name:`indices`,type:t.indexType,values:n.toString()}}return e}_getBufferOrConstantValues(e,t){let r=d.getTypedArrayConstructor(t);return(e instanceof n?new r(e.debugData):e).toString()}_getNonMaterialBindings(e){if(!this.material)return e;let t={};for(let[n,r]of Object.entries(e))this.material.ownsBinding(n)||(t[n]=r);return t}_getCurrentShaderLayout(){return this.pipeline?.shaderLayout||this.props.shaderLayout||{bindings:[]}}_syncDynamicBuffers(){if(this._dynamicIndexBufferSource&&this._dynamicIndexBufferSource.generation!==this._dynamicIndexBufferSource.source.generation){let e=this._dynamicIndexBufferSource.source.buffer;this.indexBuffer=e,this.vertexArray.setIndexBuffer(e),this._dynamicIndexBufferSource.generation=this._dynamicIndexBufferSource.source.generation,this.setNeedsRedraw(`dynamic index buffer`)}for(let[e,t]of Object.entries(this._dynamicAttributeBufferSources))t.generation!==t.source.generation&&(this.vertexArray.setBuffer(Number(e),t.source.buffer),t.generation=t.source.generation,this.setNeedsRedraw(`dynamic attribute buffer`))}_syncAttachmentFormats(e){if(this.device.type!==`webgpu`)return;let t=e.framebuffer||e.props.framebuffer,n=e.props,r=n.colorAttachmentFormats??t?.colorAttachments?.map(e=>Wg(e?.texture?.format)),i=n.depthStencilAttachmentFormat===!1?void 0:n.depthStencilAttachmentFormat??Gg(t?.depthStencilAttachment?.texture?.format);Ag(this._colorAttachmentFormats,r,1)&&this._depthStencilAttachmentFormat===i||(this._colorAttachmentFormats=r,this._depthStencilAttachmentFormat=i,this._setPipelineNeedsUpdate(`attachment formats`))}};function Vg(e,t){return e.shaderLanguage!==void 0&&e.shaderLanguage!==t?!1:t===`glsl`?`assembleGLSLShaderPair`in e&&typeof e.assembleGLSLShaderPair==`function`:`assembleWGSLShader`in e&&typeof e.assembleWGSLShader==`function`}function Hg(e,t){return!e||Object.keys(t).length===0?e:{...e,attributes:e.attributes.map(e=>{let n=e.name.startsWith(`_luma_`)?e.name.slice(6):null;return n&&t[n]?{...e,name:n}:e})}}function Ug(e,t,n){if(Ng(t)){let r=Fg(n,e,{fallbackGroup:0});return r?t.resolveTextureBinding(r):null}return t instanceof M?t.buffer:E(t)?ee(t):t}function Wg(e){return e&&!Kg(e)?e:null}function Gg(e){return e&&Kg(e)?e:void 0}function Kg(e){return zg.includes(e)}function qg(e){return{type:e.type,shaderLanguage:e.info.shadingLanguage,shaderLanguageVersion:e.info.shadingLanguageVersion,gpu:e.info.gpu,limits:e.limits,features:e.features}}var Jg=35980,Yg=35981,Xg=class e{device;model;transformFeedback;static defaultProps={...Bg.defaultProps,feedbackBufferMode:`separate`,outputs:void 0,feedbackBuffers:void 0};static isSupported(e){return e?.info?.type===`webgl`}constructor(t,n=e.defaultProps){if(!e.isSupported(t))throw Error(`BufferTransform not yet implemented on WebGPU`);this.device=t,this.model=new Bg(this.device,{id:n.id||`buffer-transform-model`,fs:n.fs||Ll(),topology:n.topology||`point-list`,varyings:n.outputs||n.varyings,...n,bufferMode:n.bufferMode||(n.feedbackBufferMode===`interleaved`?Jg:Yg)}),this.transformFeedback=this.device.createTransformFeedback({layout:this.model.pipeline.shaderLayout,buffers:n.feedbackBuffers}),this.model.setTransformFeedback(this.transformFeedback)}destroy(){this.model&&this.model.destroy()}delete(){this.destroy()}run(e){e?.inputBuffers&&this.model.setAttributes(e.inputBuffers),e?.outputBuffers&&this.transformFeedback.setBuffers(e.outputBuffers);let t=this.device.beginRenderPass({discard:!0,...e});this.model.draw(t),t.end()}getBuffer(e){return this.transformFeedback.getBuffer(e)}readAsync(e){let t=this.getBuffer(e);if(!t)throw Error(`BufferTransform#getBuffer`);if(t instanceof n)return t.readAsync();let{buffer:r,byteOffset:i=0,byteLength:a=r.byteLength}=t;return r.readAsync(i,a)}},Zg=2,Qg=1e4,$g=class e{static defaultProps={...b.defaultProps,id:`unnamed`,handle:void 0,userData:{},source:``,modules:[],defines:{},plugins:[],bindings:void 0,shaderInputs:void 0,pipelineFactory:void 0,shaderFactory:void 0,shaderAssembler:P.getDefaultShaderAssembler(`wgsl`),debugShaders:void 0};device;id;pipelineFactory;shaderFactory;userData={};bindings={};pipeline;source;shader;shaderInputs;_uniformStore;_pipelineNeedsUpdate=`newly created`;_getModuleUniforms;props;_destroyed=!1;constructor(t,n){if(t.type!==`webgpu`)throw Error(`Computation is only supported in WebGPU`);this.props={...e.defaultProps,...n},n=this.props,this.id=n.id||k(`model`),this.device=t,Object.assign(this.userData,n.userData);let r=e_(t),i=x(this.props.plugins,r.shaderLanguage);if(Object.keys(i.vertexInputs).length>0||Object.keys(i.varyings).length>0)throw Error(`Computation does not support ShaderPlugin vertex inputs or varyings`);let a=ce(this.props.modules,i.modules),o=Object.fromEntries(a.map(e=>[e.name,e]));this.shaderInputs=n.shaderInputs||new oe(o),n.shaderInputs&&i.modules.length>0&&this.shaderInputs.addModules(i.modules),this.setShaderInputs(this.shaderInputs);let s=te(this.props.modules,this.shaderInputs?.getModules()),c={...i.defines,...this.props.defines};this.props.shaderLayout=ie(this.props.shaderLayout,s)||null,this.pipelineFactory=n.pipelineFactory||S.getDefaultPipelineFactory(this.device),this.shaderFactory=n.shaderFactory||se.getDefaultShaderFactory(this.device);let l=this.props.shaderAssembler;p(l instanceof T);let{source:u,getUniforms:d,shaderLayout:f}=l.assembleWGSLShader({platformInfo:r,...this.props,modules:s,defines:c,scanVertexAttributes:!1,pluginInjections:i.injections});this.source=u,this._getModuleUniforms=d;let m=f??t.getShaderLayout?.(this.source,{scanVertexAttributes:!1});this.props.shaderLayout=ie(this.props.shaderLayout||m||null,s)||null,this.pipeline=this._updatePipeline(),n.bindings&&this.setBindings(n.bindings)}destroy(){this._destroyed||=(this.pipelineFactory.release(this.pipeline),this.shaderFactory.release(this.shader),this._uniformStore.destroy(),!0)}predraw(e){this.updateShaderInputs(e)}dispatch(e,t,n,r){try{this._logDrawCallStart(),this._setPipeline(e),e.dispatch(t,n,r)}finally{this._logDrawCallEnd()}}dispatchIndirect(e,t,n=0){try{this._logDrawCallStart(),this._setPipeline(e),e.dispatchIndirect(t,n)}finally{this._logDrawCallEnd()}}_setPipeline(e){this.pipeline=this._updatePipeline(),this.pipeline.setBindings(this.bindings),e.setPipeline(this.pipeline),e.setBindings({})}setVertexCount(e){}setInstanceCount(e){}setShaderInputs(e){this.shaderInputs=e,this._uniformStore=new v(this.device,this.shaderInputs.modules);for(let[e,t]of Object.entries(this.shaderInputs.modules))if(A(t)){let t=this._uniformStore.getManagedUniformBuffer(e);this.bindings[`${e}Uniforms`]=t}}setShaderModuleProps(e){let t=this._getModuleUniforms(e),n=Object.keys(t).filter(e=>{let n=t[e];return!y(n)&&typeof n!=`number`&&typeof n!=`boolean`}),r={};for(let e of n)r[e]=t[e],delete t[e]}updateShaderInputs(e){this._uniformStore.setUniforms(this.shaderInputs.getUniformValues(),e)}setBindings(e){Object.assign(this.bindings,e)}_setPipelineNeedsUpdate(e){this._pipelineNeedsUpdate=this._pipelineNeedsUpdate||e}_updatePipeline(){if(this._pipelineNeedsUpdate){let e=null;this.pipeline&&(i.log(1,`Model ${this.id}: Recreating pipeline because "${this._pipelineNeedsUpdate}".`)(),e=this.shader),this._pipelineNeedsUpdate=!1,this.shader=this.shaderFactory.createShader({id:`${this.id}-fragment`,stage:`compute`,source:this.source,debugShaders:this.props.debugShaders}),this.pipeline=this.pipelineFactory.createComputePipeline({...this.props,shader:this.shader}),e&&this.shaderFactory.release(e)}return this.pipeline}_lastLogTime=0;_logOpen=!1;_logDrawCallStart(){let e=i.level>3?0:Qg;i.level<2||Date.now()-this._lastLogTime<e||(this._lastLogTime=Date.now(),this._logOpen=!0,i.group(Zg,`>>> DRAWING MODEL ${this.id}`,{collapsed:i.level<=2})())}_logDrawCallEnd(){if(this._logOpen){let e=this.shaderInputs.getDebugTable();i.table(Zg,e)(),i.groupEnd(Zg)(),this._logOpen=!1}}_drawCount=0;_getBufferOrConstantValues(e,t){let r=d.getTypedArrayConstructor(t);return(e instanceof n?new r(e.debugData):e).toString()}};function e_(e){return{type:e.type,shaderLanguage:e.info.shadingLanguage,shaderLanguageVersion:e.info.shadingLanguageVersion,gpu:e.info.gpu,limits:e.limits,features:e.features}}var t_={blendColorOperation:`add`,blendColorSrcFactor:`one`,blendColorDstFactor:`zero`,blendAlphaOperation:`add`,blendAlphaSrcFactor:`constant`,blendAlphaDstFactor:`zero`},n_=class extends xh{constructor(){super(...arguments),this._colorEncoderState=null}render(e){return`pickingFBO`in e?this._drawPickingBuffer(e):{decodePickingColor:null,stats:super._render(e)}}_drawPickingBuffer({layers:e,layerFilter:t,views:n,viewports:r,onViewportActive:i,pickingFBO:a,deviceRect:{x:o,y:s,width:c,height:l},cullRect:u,effects:d,pass:f=`picking`,pickZ:p,canvasContext:m,shaderModuleProps:h,clearColor:g}){this.pickZ=p;let _=this._resetColorEncoder(p),v=[o,s,c,l],y=super._render({target:a,layers:e,layerFilter:t,views:n,viewports:r,onViewportActive:i,cullRect:u,effects:d?.filter(e=>e.useInPicking),pass:f,canvasContext:m,isPicking:!0,shaderModuleProps:h,clearColor:g??[0,0,0,0],colorMask:15,scissorRect:v});return this._colorEncoderState=null,{decodePickingColor:_&&i_.bind(null,_),stats:y}}shouldDrawLayer(e){let{pickable:t,operation:n}=e.props;return t&&n.includes(`draw`)||n.includes(`terrain`)||n.includes(`mask`)}getShaderModuleProps(e,t,n){return{picking:{isActive:1,isAttribute:this.pickZ,disabledPickingIndices:e.internalState?.disabledPickingIndices},lighting:{enabled:!1}}}getLayerParameters(e,t,n){let r={...e.props.parameters},{pickable:i,operation:a}=e.props;return this._colorEncoderState?i&&a.includes(`draw`)?(Object.assign(r,t_),r.blend=!0,this.device.type===`webgpu`?r.blendConstant=r_(this._colorEncoderState,e,n):r.blendColor=r_(this._colorEncoderState,e,n),a.includes(`terrain`)&&e.state?._hasPickingCover&&(r.blendAlphaSrcFactor=`one`)):a.includes(`terrain`)&&(r.blend=!1):r.blend=!1,r}_resetColorEncoder(e){return this._colorEncoderState=e?null:{byLayer:new Map,byAlpha:[]},this._colorEncoderState}};function r_(e,t,n){let{byLayer:r,byAlpha:i}=e,a,o=r.get(t);return o?(o.viewports.push(n),a=o.a):(a=r.size+1,a<=255?(o={a,layer:t,viewports:[n]},r.set(t,o),i[a]=o):(K.warn(`Too many pickable layers, only picking the first 255`)(),a=0)),[0,0,0,a/255]}function i_(e,t){let n=e.byAlpha[t[3]];return n&&{pickedLayer:n.layer,pickedViewports:n.viewports,pickedObjectIndex:n.layer.decodePickingColor(t)}}var a_={NO_STATE:`Awaiting state`,MATCHED:`Matched. State transferred from previous layer`,INITIALIZED:`Initialized`,AWAITING_GC:`Discarded. Awaiting garbage collection`,AWAITING_FINALIZATION:`No longer matched. Awaiting garbage collection`,FINALIZED:`Finalized! Awaiting garbage collection`},o_=Symbol.for(`component`),s_=Symbol.for(`propTypes`),c_=Symbol.for(`deprecatedProps`),l_=Symbol.for(`asyncPropDefaults`),u_=Symbol.for(`asyncPropOriginal`),d_=Symbol.for(`asyncPropResolved`);function f_(e,t=()=>!0){return Array.isArray(e)?p_(e,t,[]):t(e)?[e]:[]}function p_(e,t,n){let r=-1;for(;++r<e.length;){let i=e[r];Array.isArray(i)?p_(i,t,n):t(i)&&n.push(i)}return n}function m_({target:e,source:t,start:n=0,count:r=1}){let i=t.length,a=r*i,o=0;for(let r=n;o<i;o++)e[r++]=t[o];for(;o<a;)o<a-o?(e.copyWithin(n+o,n,n+o),o*=2):(e.copyWithin(n+o,n,n+a-o),o=a);return e}var h_=class{constructor(e,t,n){this._loadCount=0,this._subscribers=new Set,this.id=e,this.context=n,this.setData(t)}subscribe(e){this._subscribers.add(e)}unsubscribe(e){this._subscribers.delete(e)}inUse(){return this._subscribers.size>0}delete(){}getData(){return this.isLoaded?this._error?Promise.reject(this._error):this._content:this._loader.then(()=>this.getData())}setData(e,t){if(e===this._data&&!t)return;this._data=e;let n=++this._loadCount,r=e;typeof e==`string`&&(r=Ks(e)),r instanceof Promise?(this.isLoaded=!1,this._loader=r.then(e=>{this._loadCount===n&&(this.isLoaded=!0,this._error=void 0,this._content=e)}).catch(e=>{this._loadCount===n&&(this.isLoaded=!0,this._error=e||!0)})):(this.isLoaded=!0,this._error=void 0,this._content=e);for(let e of this._subscribers)e.onChange(this.getData())}},g_=class{constructor(e){this.protocol=e.protocol||`resource://`,this._context={device:e.device,gl:e.device?.gl,resourceManager:this},this._resources={},this._consumers={},this._pruneRequest=null}contains(e){return e.startsWith(this.protocol)?!0:e in this._resources}add({resourceId:e,data:t,forceUpdate:n=!1,persistent:r=!0}){let i=this._resources[e];i?i.setData(t,n):(i=new h_(e,t,this._context),this._resources[e]=i),i.persistent=r}remove(e){let t=this._resources[e];t&&(t.delete(),delete this._resources[e])}unsubscribe({consumerId:e}){let t=this._consumers[e];if(t){for(let e in t){let n=t[e],r=this._resources[n.resourceId];r&&r.unsubscribe(n)}delete this._consumers[e],this.prune()}}subscribe({resourceId:e,onChange:t,consumerId:n,requestId:r=`default`}){let{_resources:i,protocol:a}=this;e.startsWith(a)&&(e=e.replace(a,``),i[e]||this.add({resourceId:e,data:null,persistent:!1}));let o=i[e];if(this._track(n,r,o,t),o)return o.getData()}prune(){this._pruneRequest||=setTimeout(()=>this._prune(),0)}finalize(){for(let e in this._resources)this._resources[e].delete()}_track(e,t,n,r){let i=this._consumers,a=i[e]=i[e]||{},o=a[t],s=o&&o.resourceId&&this._resources[o.resourceId];s&&(s.unsubscribe(o),this.prune()),n&&(o?(o.onChange=r,o.resourceId=n.id):o={onChange:r,resourceId:n.id},a[t]=o,n.subscribe(o))}_prune(){this._pruneRequest=null;for(let e of Object.keys(this._resources)){let t=this._resources[e];!t.persistent&&!t.inUse()&&(t.delete(),delete this._resources[e])}}},__=`layerManager.setLayers`,v_=`layerManager.activateViewport`,y_=class{constructor(e,t){this._lastRenderedLayers=[],this._needsRedraw=!1,this._needsUpdate=!1,this._nextLayers=null,this._debug=!1,this._defaultShaderModulesChanged=!1,this.activateViewport=e=>{Fc(v_,this,e),e&&(this.context.viewport=e)};let{deck:n,stats:r,viewport:i,timeline:a}=t||{};this.layers=[],this.resourceManager=new g_({device:e,protocol:`deck://`}),this.context={mousePosition:null,userData:{},layerManager:this,device:e,gl:e?.gl,deck:n,shaderAssembler:lh(e?.info?.shadingLanguage||`glsl`),defaultShaderModules:[Ud],renderPass:void 0,stats:r||new so({id:`deck.gl`}),viewport:i||new Kh({id:`DEFAULT-INITIAL-VIEWPORT`}),timeline:a||new lg,resourceManager:this.resourceManager,onError:void 0},Object.seal(this)}finalize(){this.resourceManager.finalize();for(let e of this.layers)this._finalizeLayer(e)}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;e.clearRedrawFlags&&(this._needsRedraw=!1);for(let n of this.layers){let r=n.getNeedsRedraw(e);t||=r}return t}needsUpdate(){return this._nextLayers&&this._nextLayers!==this._lastRenderedLayers?`layers changed`:this._defaultShaderModulesChanged?`shader modules changed`:this._needsUpdate}setNeedsRedraw(e){this._needsRedraw=this._needsRedraw||e}setNeedsUpdate(e){this._needsUpdate=this._needsUpdate||e}getLayers({layerIds:e}={}){return e?this.layers.filter(t=>e.find(e=>t.id.indexOf(e)===0)):this.layers}setProps(e){`debug`in e&&(this._debug=e.debug),`userData`in e&&(this.context.userData=e.userData),`layers`in e&&(this._nextLayers=e.layers),`onError`in e&&(this.context.onError=e.onError)}setLayers(e,t){Fc(__,this,t,e),this._lastRenderedLayers=e;let n=f_(e,Boolean);for(let e of n)e.context=this.context;this._updateLayers(this.layers,n)}updateLayers(){let e=this.needsUpdate();e&&(this.setNeedsRedraw(`updating layers: ${e}`),this.setLayers(this._nextLayers||this._lastRenderedLayers,e)),this._nextLayers=null}addDefaultShaderModule(e){let{defaultShaderModules:t}=this.context;t.find(t=>t.name===e.name)||(t.push(e),this._defaultShaderModulesChanged=!0)}removeDefaultShaderModule(e){let{defaultShaderModules:t}=this.context,n=t.findIndex(t=>t.name===e.name);n>=0&&(t.splice(n,1),this._defaultShaderModulesChanged=!0)}_handleError(e,t,n){n.raiseError(t,`${e} of ${n}`)}_updateLayers(e,t){let n={};for(let t of e)n[t.id]?K.warn(`Multiple old layers with same id ${t.id}`)():n[t.id]=t;if(this._defaultShaderModulesChanged){for(let t of e)t.setNeedsUpdate(),t.setChangeFlags({extensionsChanged:!0});this._defaultShaderModulesChanged=!1}let r=[];this._updateSublayersRecursively(t,n,r),this._finalizeOldLayers(n);let i=!1;for(let e of r)if(e.hasUniformTransition()){i=`Uniform transition in ${e}`;break}this._needsUpdate=i,this.layers=r}_updateSublayersRecursively(e,t,n){for(let r of e){r.context=this.context;let e=t[r.id];e===null&&K.warn(`Multiple new layers with same id ${r.id}`)(),t[r.id]=null;let i=null;try{this._debug&&e!==r&&r.validateProps(),e?(this._transferLayerState(e,r),this._updateLayer(r)):this._initializeLayer(r),n.push(r),i=r.isComposite?r.getSubLayers():null}catch(e){this._handleError(`matching`,e,r)}i&&this._updateSublayersRecursively(i,t,n)}}_finalizeOldLayers(e){for(let t in e){let n=e[t];n&&this._finalizeLayer(n)}}_initializeLayer(e){try{e._initialize(),e.lifecycle=a_.INITIALIZED}catch(t){this._handleError(`initialization`,t,e)}}_transferLayerState(e,t){t._transferState(e),t.lifecycle=a_.MATCHED,t!==e&&(e.lifecycle=a_.AWAITING_GC)}_updateLayer(e){try{e._update()}catch(t){this._handleError(`update`,t,e)}}_finalizeLayer(e){this._needsRedraw=this._needsRedraw||`finalized ${e}`,e.lifecycle=a_.AWAITING_FINALIZATION;try{e._finalize(),e.lifecycle=a_.FINALIZED}catch(t){this._handleError(`finalization`,t,e)}}};function b_(e,t,n){if(e===t)return!0;if(!n||!e||!t)return!1;if(Array.isArray(e)){if(!Array.isArray(t)||e.length!==t.length)return!1;for(let r=0;r<e.length;r++)if(!b_(e[r],t[r],n-1))return!1;return!0}if(Array.isArray(t))return!1;if(typeof e==`object`&&typeof t==`object`){let r=Object.keys(e),i=Object.keys(t);if(r.length!==i.length)return!1;for(let i of r)if(!t.hasOwnProperty(i)||!b_(e[i],t[i],n-1))return!1;return!0}return!1}var x_=`default-canvas`,S_=class{constructor(e){this.views=[],this.width=100,this.height=100,this.viewState={},this.controllers={},this.timeline=e.timeline,this._viewports=[],this._viewportMap={},this._isUpdating=!1,this._needsRedraw=`First render`,this._needsUpdate=`Initialize`,this._eventManager=e.eventManager,this._eventManagers=e.eventManagers||{},this._viewEventManagers={},this._eventCallbacks={onViewStateChange:e.onViewStateChange,onInteractionStateChange:e.onInteractionStateChange},this._pickPosition=e.pickPosition,this._getCanvasContext=e.getCanvasContext,Object.seal(this),this.setProps(e)}finalize(){for(let e in this.controllers){let t=this.controllers[e];t&&t.finalize()}this.controllers={}}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}setNeedsUpdate(e){this._needsUpdate=this._needsUpdate||e,this._needsRedraw=this._needsRedraw||e}updateViewStates(){for(let e in this.controllers){let t=this.controllers[e];t&&t.updateTransition()}}getViewports(e){return e?this._viewports.filter(t=>{let n=!e.canvasId||this.getCanvasId(t.id)===e.canvasId,r=!(`x`in e)||t.containsPixel(e);return n&&r}):this._viewports}getViews(){let e={};return this.views.forEach(t=>{e[t.id]=t}),e}getView(e){return this.views.find(t=>t.id===e)}getViewState(e){let t=typeof e==`string`?this.getView(e):e,n=t&&this.viewState[t.getViewStateId()]||this.viewState;return t?t.filterViewState(n):n}getViewport(e){return this._viewportMap[e]}getCanvasId(e){let t=typeof e==`string`?this.getView(e):e;return t?this._viewEventManagers[t.id]?.canvasId||this._getCanvasIdFromView(t):void 0}unproject(e,t){let n=this.getViewports(),r={x:e[0],y:e[1]};for(let i=n.length-1;i>=0;--i){let a=n[i];if(a.containsPixel(r)){let n=e.slice();return n[0]-=a.x,n[1]-=a.y,a.unproject(n,t)}}return null}setProps(e){e.views&&this._setViews(e.views),e.viewState&&this._setViewState(e.viewState),(`width`in e||`height`in e)&&this._setSize(e.width,e.height),`pickPosition`in e&&(this._pickPosition=e.pickPosition),`eventManagers`in e&&this._setEventManagers(e.eventManagers||{}),this._isUpdating||this._update()}_update(){this._isUpdating=!0,this._needsUpdate&&(this._needsUpdate=!1,this._rebuildViewports()),this._needsUpdate&&(this._needsUpdate=!1,this._rebuildViewports()),this._isUpdating=!1}_setSize(e,t){(e!==this.width||t!==this.height)&&(this.width=e,this.height=t,this.setNeedsUpdate(`Size changed`))}_setViews(e){e=f_(e,Boolean),this._diffViews(e,this.views)&&this.setNeedsUpdate(`views changed`),this.views=e}_setViewState(e){e?(b_(e,this.viewState,3)||this.setNeedsUpdate(`viewState changed`),this.viewState=e):K.warn("missing `viewState` or `initialViewState`")()}_setEventManagers(e){this._eventManagers!==e&&(this._eventManagers=e,this.setNeedsUpdate(`eventManagers changed`))}_getCanvasIdFromView(e){return e.props.canvasId||this._getCanvasContext?.(e.id)?.id||`default-canvas`}_getCanvasDimensions(e){let[t,n]=(this._getCanvasContext?.(e.id))?.getCSSSize()||[this.width,this.height];return{width:t,height:n}}_getViewEventManager(e){let t=this.getCanvasId(e)||`default-canvas`;return{canvasId:t,eventManager:this._eventManagers[t]||this._eventManager}}_startViewportRebuild(){let e=this.controllers,t=this._viewEventManagers;return this._viewports=[],this.controllers={},this._viewEventManagers={},{oldControllers:e,oldViewEventManagers:t}}_getReusableController(e,t,n){return e&&(t?.canvasId!==n.canvasId||t?.eventManager!==n.eventManager)?(e.finalize(),null):e}_createController(e,t){let n=t.type;return new n({timeline:this.timeline,eventManager:this._getViewEventManager(e).eventManager,onViewStateChange:this._eventCallbacks.onViewStateChange,onStateChange:this._eventCallbacks.onInteractionStateChange,makeViewport:t=>this.getView(e.id)?.makeViewport({viewState:t,...this._getCanvasDimensions(e)}),pickPosition:(t,n)=>this._pickPosition?.(t,n,e.id)})}_updateController(e,t,n,r){let i=e.controller;if(i&&n){let a={...t,...i,id:e.id,x:n.x,y:n.y,width:n.width,height:n.height};return r&&r.constructor===i.type||(r=this._createController(e,a)),r&&r.setProps(a),r}return null}_rebuildViewports(){let{views:e}=this,{oldControllers:t,oldViewEventManagers:n}=this._startViewportRebuild(),r=!1;for(let i=e.length;i--;){let a=e[i],{width:o,height:s}=this._getCanvasDimensions(a),c=this._getViewEventManager(a);this._viewEventManagers[a.id]=c;let l=this.getViewState(a),u=a.makeViewport({viewState:l,width:o,height:s}),d=this._getReusableController(t[a.id],n[a.id],c),f=!!a.controller;f&&!d&&(r=!0),(r||!f)&&d&&(d.finalize(),d=null),this.controllers[a.id]=this._updateController(a,l,u,d),u&&this._viewports.unshift(u)}for(let e in t){let n=t[e];n&&!this.controllers[e]&&n.finalize()}this._buildViewportMap()}_buildViewportMap(){this._viewportMap={},this._viewports.forEach(e=>{e.id&&(this._viewportMap[e.id]=this._viewportMap[e.id]||e)})}_diffViews(e,t){return e.length!==t.length||e.some((n,r)=>!e[r].equals(t[r]))}},C_=/^(?:\d+\.?\d*|\.\d+)$/;function w_(e){switch(typeof e){case`number`:if(!Number.isFinite(e))throw Error(`Could not parse position string ${e}`);return{type:`literal`,value:e};case`string`:try{return new O_(D_(e)).parseExpression()}catch(t){let n=t instanceof Error?t.message:String(t);throw Error(`Could not parse position string ${e}: ${n}`)}default:throw Error(`Could not parse position string ${e}`)}}function T_(e,t){switch(e.type){case`literal`:return e.value;case`percentage`:return Math.round(e.value*t);case`binary`:let n=T_(e.left,t),r=T_(e.right,t);return e.operator===`+`?n+r:n-r;default:throw Error(`Unknown layout expression type`)}}function E_(e,t){return T_(e,t)}function D_(e){let t=[],n=0;for(;n<e.length;){let r=e[n];if(/\s/.test(r))n++;else if(r===`+`||r===`-`||r===`(`||r===`)`||r===`%`)t.push({type:`symbol`,value:r}),n++;else if(k_(r)||r===`.`){let i=n,a=r===`.`;for(n++;n<e.length;){let t=e[n];if(k_(t))n++;else if(t===`.`&&!a)a=!0,n++;else break}let o=e.slice(i,n);if(!C_.test(o))throw Error(`Invalid number token`);t.push({type:`number`,value:parseFloat(o)})}else if(A_(r)){let r=n;for(;n<e.length&&A_(e[n]);)n++;let i=e.slice(r,n).toLowerCase();t.push({type:`word`,value:i})}else throw Error(`Invalid token in position string`)}return t}var O_=class{constructor(e){this.index=0,this.tokens=e}parseExpression(){let e=this.parseBinaryExpression();if(this.index<this.tokens.length)throw Error(`Unexpected token at end of expression`);return e}parseBinaryExpression(){let e=this.parseFactor(),t=this.peek();for(;j_(t);){this.index++;let n=this.parseFactor();e={type:`binary`,operator:t.value,left:e,right:n},t=this.peek()}return e}parseFactor(){let e=this.peek();if(!e)throw Error(`Unexpected end of expression`);if(e.type===`symbol`&&e.value===`+`)return this.index++,this.parseFactor();if(e.type===`symbol`&&e.value===`-`)return this.index++,{type:`binary`,operator:`-`,left:{type:`literal`,value:0},right:this.parseFactor()};if(e.type===`symbol`&&e.value===`(`){this.index++;let e=this.parseBinaryExpression();if(!this.consumeSymbol(`)`))throw Error(`Missing closing parenthesis`);return e}if(e.type===`word`&&e.value===`calc`){if(this.index++,!this.consumeSymbol(`(`))throw Error(`Missing opening parenthesis after calc`);let e=this.parseBinaryExpression();if(!this.consumeSymbol(`)`))throw Error(`Missing closing parenthesis`);return e}if(e.type===`number`){this.index++;let t=e.value,n=this.peek();return n&&n.type===`symbol`&&n.value===`%`?(this.index++,{type:`percentage`,value:t/100}):(n&&n.type===`word`&&n.value===`px`&&this.index++,{type:`literal`,value:t})}throw Error(`Unexpected token in expression`)}consumeSymbol(e){let t=this.peek();return t&&t.type===`symbol`&&t.value===e?(this.index++,!0):!1}peek(){return this.tokens[this.index]||null}};function k_(e){return e>=`0`&&e<=`9`}function A_(e){return e>=`a`&&e<=`z`||e>=`A`&&e<=`Z`}function j_(e){return!(!e||e.type!==`symbol`||e.value!==`+`&&e.value!==`-`)}function M_(e,t){let n={...e};for(let e in t)e!==`id`&&(n[e]=Array.isArray(n[e])&&Array.isArray(t[e])?N_(n[e],t[e]):t[e]);return n}function N_(e,t){e=e.slice();for(let n=0;n<t.length;n++){let r=t[n];Number.isFinite(r)&&(e[n]=r)}return e}var P_=class{constructor(e){let{id:t,x:n=0,y:r=0,width:i=`100%`,height:a=`100%`,padding:o=null}=e;this.id=t||this.constructor.displayName||`view`,this.props={...e,id:this.id},this._x=w_(n),this._y=w_(r),this._width=w_(i),this._height=w_(a),this._padding=o&&{left:w_(o.left||0),right:w_(o.right||0),top:w_(o.top||0),bottom:w_(o.bottom||0)},this.equals=this.equals.bind(this),Object.seal(this)}equals(e){return this===e||this.constructor===e.constructor&&b_(this.props,e.props,2)}clone(e){let t=this.constructor;return new t({...this.props,...e})}makeViewport({width:e,height:t,viewState:n}){n=this.filterViewState(n);let r=this.getDimensions({width:e,height:t});return!r.height||!r.width?null:new(this.getViewportType(n))({...n,...this.props,...r})}getViewStateId(){let{viewState:e}=this.props;return typeof e==`string`?e:e?.id||this.id}filterViewState(e){return this.props.viewState&&typeof this.props.viewState==`object`?this.props.viewState.id?M_(e,this.props.viewState):this.props.viewState:e}getDimensions({width:e,height:t}){let n={x:E_(this._x,e),y:E_(this._y,t),width:E_(this._width,e),height:E_(this._height,t)};return this._padding&&(n.padding={left:E_(this._padding.left,e),top:E_(this._padding.top,t),right:E_(this._padding.right,e),bottom:E_(this._padding.bottom,t)}),n}get controller(){let e=this.props.controller;return e?e===!0?{type:this.ControllerType}:typeof e==`function`?{type:e}:{type:this.ControllerType,...e}:null}},F_=class{constructor(e){this._inProgress=!1,this._handle=null,this.time=0,this.settings={duration:0},this._timeline=e}get inProgress(){return this._inProgress}start(e){this.cancel(),this.settings=e,this._inProgress=!0,this.settings.onStart?.(this)}end(){this._inProgress&&(this._timeline.removeChannel(this._handle),this._handle=null,this._inProgress=!1,this.settings.onEnd?.(this))}cancel(){this._inProgress&&=(this.settings.onInterrupt?.(this),this._timeline.removeChannel(this._handle),this._handle=null,!1)}update(){if(!this._inProgress)return!1;if(this._handle===null){let{_timeline:e,settings:t}=this;this._handle=e.addChannel({delay:e.getTime(),duration:t.duration})}return this.time=this._timeline.getTime(this._handle),this._onUpdate(),this.settings.onUpdate?.(this),this._timeline.isFinished(this._handle)&&this.end(),!0}_onUpdate(){}},I_=()=>{},L_={mode:`preserve`},R_={mode:`hard`},z_={BREAK:1,SNAP_TO_END:2,IGNORE:3},B_=e=>e,V_=z_.BREAK,H_=class{constructor(e){this._onTransitionUpdate=e=>{let{time:t,settings:{interpolator:n,startProps:r,endProps:i,duration:a,easing:o}}=e,s=o(t/a),c=n.interpolateProps(r,i,s);this.propsInTransition=this.getControllerState({...this.props,...c},L_).getViewportProps(),this.onViewStateChange({viewState:this.propsInTransition,oldViewState:this.props})},this.getControllerState=e.getControllerState,this.propsInTransition=null,this.transition=new F_(e.timeline),this.onViewStateChange=e.onViewStateChange||I_,this.onStateChange=e.onStateChange||I_}finalize(){this.transition.cancel()}getViewportInTransition(){return this.propsInTransition}processViewStateChange(e){let t=!1,n=this.props;if(this.props=e,!n||this._shouldIgnoreViewportChange(n,e))return!1;if(this._isTransitionEnabled(e)){let r=n;if(this.transition.inProgress){let{interruption:e,endProps:t}=this.transition.settings;r={...n,...e===z_.SNAP_TO_END?t:this.propsInTransition||n}}this._triggerTransition(r,e),t=!0}else this.transition.cancel();return t}updateTransition(){this.transition.update()}_isTransitionEnabled(e){let{transitionDuration:t,transitionInterpolator:n}=e;return(t>0||t===`auto`)&&!!n}_isUpdateDueToCurrentTransition(e){return this.transition.inProgress&&this.propsInTransition?this.transition.settings.interpolator.arePropsEqual(e,this.propsInTransition):!1}_shouldIgnoreViewportChange(e,t){return this.transition.inProgress?this.transition.settings.interruption===z_.IGNORE||this._isUpdateDueToCurrentTransition(t):!this._isTransitionEnabled(t)||t.transitionInterpolator.arePropsEqual(e,t)}_triggerTransition(e,t){let n=this.getControllerState(e,L_),r=this.getControllerState(t,R_).shortestPathFrom(n),i=t.transitionInterpolator,a=i.getDuration?i.getDuration(e,t):t.transitionDuration;if(a===0)return;let o=i.initializeProps(e,r);this.propsInTransition={};let s={duration:a,easing:t.transitionEasing||B_,interpolator:i,interruption:t.transitionInterruption||V_,startProps:o.start,endProps:o.end,onStart:t.onTransitionStart,onUpdate:this._onTransitionUpdate,onInterrupt:this._onTransitionEnd(t.onTransitionInterrupt),onEnd:this._onTransitionEnd(t.onTransitionEnd)};this.transition.start(s),this.onStateChange({inTransition:!0}),this.updateTransition()}_onTransitionEnd(e){return t=>{this.propsInTransition=null,this.onStateChange({inTransition:!1,isZooming:!1,isPanning:!1,isRotating:!1}),e?.(t)}}};function U_(e,t){if(!e)throw Error(t||`deck.gl: assertion failed.`)}var W_=class{constructor(e){let{compare:t,extract:n,required:r}=e;this._propsToCompare=t,this._propsToExtract=n||t,this._requiredProps=r}arePropsEqual(e,t){for(let n of this._propsToCompare)if(!(n in e)||!(n in t)||!Gl(e[n],t[n]))return!1;return!0}initializeProps(e,t){let n={},r={};for(let i of this._propsToExtract)(i in e||i in t)&&(n[i]=e[i],r[i]=t[i]);return this._checkRequiredProps(n),this._checkRequiredProps(r),{start:n,end:r}}getDuration(e,t){return t.transitionDuration}_checkRequiredProps(e){this._requiredProps&&this._requiredProps.forEach(t=>{let n=e[t];U_(Number.isFinite(n)||Array.isArray(n),`${t} is required for transition`)})}},G_=[`longitude`,`latitude`,`zoom`,`bearing`,`pitch`],K_=[`longitude`,`latitude`,`zoom`],q_=class extends W_{constructor(e={}){let t=Array.isArray(e)?e:e.transitionProps,n=Array.isArray(e)?{}:e;n.transitionProps=Array.isArray(t)?{compare:t,required:t}:t||{compare:G_,required:K_},super(n.transitionProps),this.opts=n}initializeProps(e,t){let n=super.initializeProps(e,t),{makeViewport:r,around:i}=this.opts;if(r&&i){let a=r(e),o=r(t),s=a.unproject(i);n.start.around=i,Object.assign(n.end,{around:o.project(s),aroundPosition:s,width:t.width,height:t.height})}return n}interpolateProps(e,t,n){let r={};for(let i of this._propsToExtract)r[i]=Wl(e[i]||0,t[i]||0,n);if(t.aroundPosition&&this.opts.makeViewport){let i=this.opts.makeViewport({...t,...r});Object.assign(r,i.panByPosition(t.aroundPosition,Wl(e.around,t.around,n)))}return r}},J_={transitionDuration:0},Y_=300,X_=300,Z_=e=>1-(1-e)*(1-e),Q_=e=>e===1?1:1-2**(-10*e),$_={WHEEL:[`wheel`],PAN:[`panstart`,`panmove`,`panend`],PINCH:[`pinchstart`,`pinchmove`,`pinchend`],MULTI_PAN:[`multipanstart`,`multipanmove`,`multipanend`],DOUBLE_CLICK:[`dblclick`],DOUBLE_CLICK_DRAG:[`dblclickdragstart`,`dblclickdragmove`,`dblclickdragend`,`dblclickdragcancel`],KEYBOARD:[`keydown`]},ev={},tv=class{constructor(e){this.state={},this._events={},this._interactionState={isDragging:!1},this._customEvents=[],this._eventStartBlocked=null,this._panMove=!1,this._multiPanMode=null,this._multiPanStartCenter=null,this._doubleClickDragAnchor=null,this._suppressDoubleClickUntil=0,this.invertPan=!1,this.dragMode=`rotate`,this.inertia=0,this.scrollZoom=!0,this.dragPan=!0,this.dragRotate=!0,this.doubleClickZoom=!0,this.doubleClickDragZoom=!0,this.touchZoom=!0,this.touchRotate=!1,this.multiTouchDrag=null,this.trackpadGesture=!1,this.zoomAround=`pointer`,this.keyboard=!0,this.transitionManager=new H_({...e,getControllerState:(t,n)=>new this.ControllerState({...t,constraintContext:n,makeViewport:e.makeViewport}),onViewStateChange:this._onTransition.bind(this),onStateChange:this._setInteractionState.bind(this)}),this.handleEvent=this.handleEvent.bind(this),this.eventManager=e.eventManager,this.onViewStateChange=e.onViewStateChange||(()=>{}),this.onStateChange=e.onStateChange||(()=>{}),this.makeViewport=e.makeViewport,this.pickPosition=e.pickPosition}set events(e){this.toggleEvents(this._customEvents,!1),this.toggleEvents(e,!0),this._customEvents=e,this.props&&this.setProps(this.props)}finalize(){for(let e in this._events)this._events[e]&&this.eventManager?.off(e,this.handleEvent);this.transitionManager.finalize()}handleEvent(e){this._controllerState=void 0;let t=this._eventStartBlocked;switch(e.type){case`panstart`:return!t&&this._onPanStart(e);case`panmove`:return this._onPan(e);case`panend`:return this._onPanEnd(e);case`pinchstart`:return t||!this._isTrackpadGestureAllowed(e)?!1:this._onPinchStart(e);case`pinchmove`:return this._isTrackpadGestureAllowed(e)?this._onPinch(e):!1;case`pinchend`:return this._isTrackpadGestureAllowed(e)?this._onPinchEnd(e):!1;case`multipanstart`:return!t&&this._onMultiPanStart(e);case`multipanmove`:return this._onMultiPan(e);case`multipanend`:return this._onMultiPanEnd(e);case`dblclick`:return this._onDoubleClick(e);case`dblclickdragstart`:return!t&&this._onDoubleClickDragStart(e);case`dblclickdragmove`:return this._onDoubleClickDrag(e);case`dblclickdragend`:case`dblclickdragcancel`:return this._onDoubleClickDragEnd(e);case`wheel`:return this._onWheel(e);case`keydown`:return this._onKeyDown(e);default:return!1}}get controllerState(){return this._controllerState=this._controllerState||new this.ControllerState({makeViewport:this.makeViewport,...this.props,...this.state}),this._controllerState}getCenter(e){let{x:t,y:n}=this.props,{offsetCenter:r}=e;return[r.x-t,r.y-n]}getZoomPosition(e){if(this.zoomAround===`pointer`)return e;let t=this.makeViewport(this.controllerState.getViewportProps()),[n,r]=Nm(t.center,t.pixelProjectionMatrix);return[n,r]}isPointInBounds(e,t){let{width:n,height:r}=this.props;if(t&&t.handled)return!1;let i=e[0]>=0&&e[0]<=n&&e[1]>=0&&e[1]<=r;return i&&t&&t.stopPropagation(),i}isFunctionKeyPressed(e){let{srcEvent:t}=e;return!!(t.metaKey||t.altKey||t.ctrlKey||t.shiftKey)}isDragging(){return this._interactionState.isDragging||!1}blockEvents(e){let t=setTimeout(()=>{this._eventStartBlocked===t&&(this._eventStartBlocked=null)},e);this._eventStartBlocked=t}setProps(e){e.maxBoundsPadding===void 0&&(e.maxBoundsPadding=null),e.dragMode&&(this.dragMode=e.dragMode);let t=this.props;this.props=e,`transitionInterpolator`in e||(e.transitionInterpolator=this._getTransitionProps().transitionInterpolator),this.transitionManager.processViewStateChange(e);let{inertia:n}=e;this.inertia=Number.isFinite(n)?n:n===!0?Y_:0;let{scrollZoom:r=!0,dragPan:i=!0,dragRotate:a=!0,doubleClickZoom:o=!0,doubleClickDragZoom:s=!1,touchZoom:c=!0,touchRotate:l=!1,multiTouchDrag:u=l?`rotate`:null,trackpadGesture:d=!1,zoomAround:f=`pointer`,keyboard:p=!0}=e,m=!!this.onViewStateChange;if(this.toggleEvents($_.WHEEL,m&&r),this.toggleEvents($_.PAN,m),this.toggleEvents($_.PINCH,m&&(c||u===`rotate`)),this.toggleEvents($_.MULTI_PAN,m&&!!u),this.toggleEvents($_.DOUBLE_CLICK,m&&o),this.toggleEvents($_.DOUBLE_CLICK_DRAG,m&&s),this.toggleEvents($_.KEYBOARD,m&&p),this.scrollZoom=r,this.dragPan=i,this.dragRotate=a,this.doubleClickZoom=o,this.doubleClickDragZoom=s,this.touchZoom=c,this.touchRotate=u===`rotate`,this.multiTouchDrag=u,this.trackpadGesture=d,this.zoomAround=f,this.keyboard=p,(!t||t.height!==e.height||t.width!==e.width||t.maxBounds!==e.maxBounds||t.maxBoundsPadding!==e.maxBoundsPadding)&&e.maxBounds){let t=new this.ControllerState({...e,makeViewport:this.makeViewport}),n=t.getViewportProps();Object.keys(n).some(t=>!b_(n[t],e[t],1))&&this.updateViewport(t)}}updateTransition(){this.transitionManager.updateTransition()}toggleEvents(e,t){this.eventManager&&e.forEach(e=>{this._events[e]!==t&&(this._events[e]=t,t?this.eventManager.on(e,this.handleEvent):this.eventManager.off(e,this.handleEvent))})}updateViewport(e,t=null,n={}){let r={...e.getViewportProps(),...t},i=this.controllerState!==e;if(this.state=e.getState(),this._setInteractionState(n),i){let e=this.controllerState&&this.controllerState.getViewportProps();this.onViewStateChange&&this.onViewStateChange({viewState:r,interactionState:this._interactionState,oldViewState:e,viewId:this.props.id})}}_onTransition(e){this.onViewStateChange({...e,interactionState:this._interactionState,viewId:this.props.id})}_setInteractionState(e){Object.assign(this._interactionState,e),this.onStateChange(this._interactionState)}_getConstraintContext(e,t){return this.props.rubberBand?{mode:t===`update`?`elastic`:t===`end`?`rebound`:`hard`}:{mode:`hard`}}_getReboundTransition(e,t){if(e.mode!==`rebound`)return null;let n=t.getViewportProps();return Object.keys(n).some(e=>!b_(this.props[e],n[e],1))?{...this._getTransitionProps(),transitionDuration:X_,transitionEasing:Q_}:null}_onPanStart(e){let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let n=this.isFunctionKeyPressed(e)||e.rightButton||!1;(this.invertPan||this.dragMode===`pan`)&&(n=!n);let r=n?`pan`:`rotate`,i=this._getConstraintContext(r,`start`),a=n?this.controllerState.panStart({pos:t},i):this.controllerState.rotateStart({pos:t},i);return this._panMove=n,this.updateViewport(a,J_,{isDragging:!0}),!0}_onPan(e){return this.isDragging()?this._panMove?this._onPanMove(e):this._onPanRotate(e):!1}_onPanEnd(e){return this.isDragging()?this._panMove?this._onPanMoveEnd(e):this._onPanRotateEnd(e):!1}_onPanMove(e){if(!this.dragPan)return!1;let t=this.getCenter(e),n=this.controllerState.pan({pos:t},this._getConstraintContext(`pan`,`update`));return this.updateViewport(n,J_,{isDragging:!0,isPanning:!0}),!0}_onPanMoveEnd(e){let{inertia:t}=this;if(this.dragPan&&t&&e.velocity){let n=this.getCenter(e),r=[n[0]+e.velocityX*t/2,n[1]+e.velocityY*t/2],i=this.controllerState.pan({pos:r}).panEnd();this.updateViewport(i,{...this._getTransitionProps(),transitionDuration:t,transitionEasing:Z_},{isDragging:!1,isPanning:!0})}else{let e=this.controllerState,t=this._getConstraintContext(`pan`,`end`),n=e.panEnd(t),r=this._getReboundTransition(t,n);this.updateViewport(n,r,{isDragging:!1,isPanning:!!r})}return!0}_onPanRotate(e){if(!this.dragRotate)return!1;let t=this.getCenter(e),n=this.controllerState.rotate({pos:t},this._getConstraintContext(`rotate`,`update`));return this.updateViewport(n,J_,{isDragging:!0,isRotating:!0}),!0}_onPanRotateEnd(e){let{inertia:t}=this;if(this.dragRotate&&t&&e.velocity){let n=this.getCenter(e),r=[n[0]+e.velocityX*t/2,n[1]+e.velocityY*t/2],i=this.controllerState.rotate({pos:r}).rotateEnd();this.updateViewport(i,{...this._getTransitionProps(),transitionDuration:t,transitionEasing:Z_},{isDragging:!1,isRotating:!0})}else{let e=this.controllerState,t=this._getConstraintContext(`rotate`,`end`),n=e.rotateEnd(t),r=this._getReboundTransition(t,n);this.updateViewport(n,r,{isDragging:!1,isRotating:!!r})}return!0}_onWheel(e){if(!this.scrollZoom||this.trackpadGesture&&e.device!==`mouse`)return!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;e.srcEvent.preventDefault();let{speed:n=.01,smooth:r=!1}=this.scrollZoom===!0?{}:this.scrollZoom,{delta:i}=e,a=2/(1+Math.exp(-Math.abs(i*n)));i<0&&a!==0&&(a=1/a);let o=this.getZoomPosition(t),s=r?{...this._getTransitionProps({around:o}),transitionDuration:250}:J_,c=this.controllerState.zoom({pos:o,scale:a});return this.updateViewport(c,s,{isZooming:!0,isPanning:!0}),r||this._setInteractionState({isZooming:!1,isPanning:!1}),!0}_onMultiPanStart(e){let{multiTouchDrag:t}=this;if(!t||!this._isMultiPanEventAllowed(e,t))return!1;let n=e.offsetCenter;if(!this.isPointInBounds(this.getCenter(e),e))return!1;let r=e.pointerType===`trackpad`,i={x:n.x-(r?0:e.deltaX),y:n.y-(r?0:e.deltaY)},a={...e,offsetCenter:i},o=this.getCenter(a),s=t===`pan`?this.controllerState.panStart({pos:o},this._getConstraintContext(`pan`,`start`)):this.controllerState.rotateStart({pos:o},this._getConstraintContext(`rotate`,`start`));return this._multiPanMode=t,this._multiPanStartCenter=i,this.updateViewport(s,J_,{isDragging:!0}),!0}_onMultiPan(e){let{mode:t,event:n}=this._getMultiPanEvent(e);return!t||!n||!this.isDragging()?!1:t===`pan`?this._onPanMove(n):this._onPanRotate(n)}_onMultiPanEnd(e){let{mode:t,event:n}=this._getMultiPanEvent(e);if(!t||!n||!this.isDragging())return this._resetMultiPan(),!1;let r=t===`pan`?this._onPanMoveEnd(n):this._onPanRotateEnd(n);return this._resetMultiPan(),r}_isTrackpadGestureAllowed(e){return e.pointerType!==`trackpad`||this.trackpadGesture}_isMultiPanEventAllowed(e,t){return e.pointerType===`trackpad`?this.trackpadGesture&&(t===`pan`?this.dragPan:this.dragRotate):e.pointerType===`touch`&&(t===`pan`?this.dragPan:this.dragRotate)}_getMultiPanEvent(e){let t=this._multiPanMode,n=this._multiPanStartCenter;return!t||!n?{mode:null,event:null}:{mode:t,event:{...e,offsetCenter:{x:n.x+e.deltaX,y:n.y+e.deltaY}}}}_resetMultiPan(){this._multiPanMode=null,this._multiPanStartCenter=null}_onPinchStart(e){this._doubleClickDragAnchor=null;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let n=this.controllerState.zoomStart({pos:this.getZoomPosition(t)},this._getConstraintContext(`zoom`,`start`)).rotateStart({pos:t},this._getConstraintContext(`rotate`,`start`));return ev._startPinchRotation=e.rotation,ev._lastPinchEvent=e,this.updateViewport(n,J_,{isDragging:!0}),!0}_onPinch(e){if(!this.touchZoom&&!this.touchRotate||!this.isDragging())return!1;let t=this.controllerState;if(this.touchZoom){let{scale:n}=e,r=this.getCenter(e);t=t.zoom({pos:this.getZoomPosition(r),scale:n},this._getConstraintContext(`zoom`,`update`))}if(this.touchRotate){let{rotation:n}=e;t=t.rotate({deltaAngleX:ev._startPinchRotation-n},this._getConstraintContext(`rotate`,`update`))}return this.updateViewport(t,J_,{isDragging:!0,isPanning:this.touchZoom,isZooming:this.touchZoom,isRotating:this.touchRotate}),ev._lastPinchEvent=e,!0}_onPinchEnd(e){if(!this.isDragging())return!1;let{inertia:t}=this,{_lastPinchEvent:n}=ev;if(this.touchZoom&&t&&n&&e.scale!==n.scale){let r=this.getCenter(e),i=this.getZoomPosition(r),a=this.controllerState.rotateEnd(),o=Math.log2(e.scale),s=2**(o+(o-Math.log2(n.scale))/(e.deltaTime-n.deltaTime)*t/2);a=a.zoom({pos:i,scale:s}).zoomEnd(),this.updateViewport(a,{...this._getTransitionProps({around:i}),transitionDuration:t,transitionEasing:Z_},{isDragging:!1,isPanning:this.touchZoom,isZooming:this.touchZoom,isRotating:!1}),this.blockEvents(t)}else{let e=this.controllerState,t=this._getConstraintContext(`zoom`,`end`),n=this._getConstraintContext(`rotate`,`end`),r=e.zoomEnd(t).rotateEnd(n),i=this._getReboundTransition(this.touchZoom?t:n,r);this.updateViewport(r,i,{isDragging:!1,isPanning:!!i&&this.touchZoom,isZooming:!!i&&this.touchZoom,isRotating:!!i&&this.touchRotate})}return ev._startPinchRotation=null,ev._lastPinchEvent=null,!0}_onDoubleClick(e){if(!this.doubleClickZoom||Date.now()<this._suppressDoubleClickUntil)return!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return!1;let n=this.isFunctionKeyPressed(e),r=this.getZoomPosition(t),i=this.controllerState.zoom({pos:r,scale:n?.5:2});return this.updateViewport(i,this._getTransitionProps({around:r}),{isZooming:!0,isPanning:!0}),this.blockEvents(100),!0}_onDoubleClickDragStart(e){if(!this.doubleClickDragZoom)return this._doubleClickDragAnchor=null,!1;let t=this.getCenter(e);if(!this.isPointInBounds(t,e))return this._doubleClickDragAnchor=null,!1;this._doubleClickDragAnchor=this.getZoomPosition(t);let n=this.controllerState.zoomStart({pos:this._doubleClickDragAnchor},this._getConstraintContext(`zoom`,`start`));return e.scale!==1&&(n=n.zoom({pos:this._doubleClickDragAnchor,scale:e.scale},this._getConstraintContext(`zoom`,`update`))),this.updateViewport(n,J_,{isDragging:!0,isPanning:!0,isZooming:!0}),!0}_onDoubleClickDrag(e){let t=this._doubleClickDragAnchor;if(!t)return!1;let n=this.controllerState.zoom({pos:t,scale:e.scale},this._getConstraintContext(`zoom`,`update`));return this.updateViewport(n,J_,{isDragging:!0,isPanning:!0,isZooming:!0}),!0}_onDoubleClickDragEnd(e){if(!this._doubleClickDragAnchor)return!1;this._doubleClickDragAnchor=null;let t=this.controllerState,n=this._getConstraintContext(`zoom`,`end`),r=t.zoomEnd(n),i=this._getReboundTransition(n,r);return this.updateViewport(r,i,{isDragging:!1,isPanning:!!i,isZooming:!!i}),this._suppressDoubleClickUntil=Date.now()+100,this.blockEvents(100),!0}_onKeyDown(e){if(!this.keyboard)return!1;let t=this.isFunctionKeyPressed(e),{zoomSpeed:n,moveSpeed:r,rotateSpeedX:i,rotateSpeedY:a}=this.keyboard===!0?{}:this.keyboard,{controllerState:o}=this,s,c={};switch(e.srcEvent.code){case`Minus`:s=t?o.zoomOut(n).zoomOut(n):o.zoomOut(n),c.isZooming=!0;break;case`Equal`:s=t?o.zoomIn(n).zoomIn(n):o.zoomIn(n),c.isZooming=!0;break;case`ArrowLeft`:t?(s=o.rotateLeft(i),c.isRotating=!0):(s=o.moveLeft(r),c.isPanning=!0);break;case`ArrowRight`:t?(s=o.rotateRight(i),c.isRotating=!0):(s=o.moveRight(r),c.isPanning=!0);break;case`ArrowUp`:t?(s=o.rotateUp(a),c.isRotating=!0):(s=o.moveUp(r),c.isPanning=!0);break;case`ArrowDown`:t?(s=o.rotateDown(a),c.isRotating=!0):(s=o.moveDown(r),c.isPanning=!0);break;default:return!1}return this.updateViewport(s,this._getTransitionProps(),c),!0}_getTransitionProps(e){let{transition:t}=this;return!t||!t.transitionInterpolator?J_:e?{...t,transitionInterpolator:new q_({...e,...t.transitionInterpolator.opts,makeViewport:this.controllerState.makeViewport})}:t}},nv=Symbol(`constraintAround`),rv=class{constructor(e,t,n,r){this.makeViewport=n,this._viewportProps=this.applyConstraints(e,r),this._state=t}getViewportProps(){return this._viewportProps}getState(){return this._state}};function iv(e,t,n){let r=e-t;return r&&Number.isFinite(r)?t+r*n/(n+Math.abs(r)):t}function av(e,t,n){let r=E_(w_(n?.left??0),e),i=E_(w_(n?.right??0),e),a=E_(w_(n?.top??0),t),o=E_(w_(n?.bottom??0),t);return{x:r,y:a,width:e-r-i,height:t-a-o}}function ov(e,t,n){let[r,i]=e.project(t);return r=Number.isFinite(r)?r:e.width/2,i=Number.isFinite(i)?i:e.height/2,{left:r-n.x,right:n.x+n.width-r,top:i-n.y,bottom:n.y+n.height-i}}var sv=5,cv=1.2,lv=512,uv=[[-1/0,-90],[1/0,90]],dv=1;function fv([e,t]){if(Math.abs(t)>90&&(t=Math.sign(t)*90),Number.isFinite(e)){let[n,r]=Cm([e,t]);return[n,Ul(r,0,lv)]}let[,n]=Cm([0,t]);return[e,Ul(n,0,lv)]}var pv=class extends rv{constructor(e){let{width:t,height:n,latitude:r,longitude:i,zoom:a,bearing:o=0,pitch:s=0,altitude:c=1.5,position:l=[0,0,0],maxZoom:u=20,minZoom:d=0,maxPitch:f=60,minPitch:p=0,startPanLngLat:m,startZoomLngLat:h,startRotatePos:g,startRotateLngLat:_,startBearing:v,startPitch:y,startZoom:b,normalize:x=!0,rubberBand:S=!1}=e,{[nv]:C}=e;U_(Number.isFinite(i)),U_(Number.isFinite(r)),U_(Number.isFinite(a));let w=e.maxBounds||(x?uv:null),T=e.maxBoundsPadding||null;super({width:t,height:n,latitude:r,longitude:i,zoom:a,bearing:o,pitch:s,altitude:c,maxZoom:u,minZoom:d,maxPitch:f,minPitch:p,normalize:x,position:l,maxBounds:w,maxBoundsPadding:T,rubberBand:S,[nv]:C},{startPanLngLat:m,startZoomLngLat:h,startRotatePos:g,startRotateLngLat:_,startBearing:v,startPitch:y,startZoom:b},e.makeViewport,e.constraintContext),this.getAltitude=e.getAltitude}panStart({pos:e},t){return this._getUpdatedState({startPanLngLat:this._unproject(e)},t)}pan({pos:e,startPos:t},n){let r=this.getState().startPanLngLat||this._unproject(t);if(!r)return this;let i=this.makeViewport(this.getViewportProps()).panByPosition(r,e);return this._getUpdatedState(i,n)}panEnd(e){return this._getUpdatedState({startPanLngLat:null},e)}rotateStart({pos:e}){let t=this.getAltitude?.(e);return this._getUpdatedState({startRotatePos:e,startRotateLngLat:t===void 0?void 0:this._unproject3D(e,t),startBearing:this.getViewportProps().bearing,startPitch:this.getViewportProps().pitch})}rotate({pos:e,deltaAngleX:t=0,deltaAngleY:n=0}){let{startRotatePos:r,startRotateLngLat:i,startBearing:a,startPitch:o}=this.getState();if(!r||a===void 0||o===void 0)return this;let s;if(s=e?this._getNewRotation(e,r,o,a):{bearing:a+t,pitch:o+n},i){let e=this.makeViewport({...this.getViewportProps(),...s}),t=`panByPosition3D`in e?`panByPosition3D`:`panByPosition`;return this._getUpdatedState({...s,...e[t](i,r)})}return this._getUpdatedState(s)}rotateEnd(){return this._getUpdatedState({startRotatePos:null,startRotateLngLat:null,startBearing:null,startPitch:null})}zoomStart({pos:e},t){return this._getUpdatedState({startZoomLngLat:this._unproject(e),startZoom:this.getViewportProps().zoom},t)}zoom({pos:e,startPos:t,scale:n},r){let{startZoom:i,startZoomLngLat:a}=this.getState();return a||=(i=this.getViewportProps().zoom,this._unproject(t)||this._unproject(e)),a?this._getUpdatedState({zoom:i+Math.log2(n),[nv]:{position:a,screenPosition:e}},r):this}zoomEnd(e){return this._getUpdatedState({startZoomLngLat:null,startZoom:null},e)}zoomIn(e=2,t){return this._zoomFromCenter(e,t)}zoomOut(e=2,t){return this._zoomFromCenter(1/e,t)}moveLeft(e=100,t){return this._panFromCenter([e,0],t)}moveRight(e=100,t){return this._panFromCenter([-e,0],t)}moveUp(e=100,t){return this._panFromCenter([0,e],t)}moveDown(e=100,t){return this._panFromCenter([0,-e],t)}rotateLeft(e=15){return this._getUpdatedState({bearing:this.getViewportProps().bearing-e})}rotateRight(e=15){return this._getUpdatedState({bearing:this.getViewportProps().bearing+e})}rotateUp(e=10){return this._getUpdatedState({pitch:this.getViewportProps().pitch+e})}rotateDown(e=10){return this._getUpdatedState({pitch:this.getViewportProps().pitch-e})}shortestPathFrom(e){let t=e.getViewportProps(),n={...this.getViewportProps()},{bearing:r,longitude:i}=n;return Math.abs(r-t.bearing)>180&&(n.bearing=r<0?r+360:r-360),Math.abs(i-t.longitude)>180&&(n.longitude=i<0?i+360:i-360),n}applyConstraints(e,t){let n=e,r=n[nv];delete n[nv];let{maxPitch:i,minPitch:a,pitch:o,bearing:s,normalize:c,maxBounds:l,rubberBand:u}=e;c&&(s<-180||s>180)&&(e.bearing=Mh(s+180,360)-180),e.pitch=Ul(o,a,i);let d=this._constrainZoom(e.zoom,e),f=u&&t?.mode===`elastic`;if(e.zoom=t?.mode===`preserve`?e.zoom:f?iv(e.zoom,d,dv):d,r){let t=this.makeViewport(e);Object.assign(e,t.panByPosition(r.position,r.screenPosition))}if(c&&(e.longitude<-180||e.longitude>180)&&(e.longitude=Mh(e.longitude+180,360)-180),l){let n=av(e.width,e.height,e.maxBoundsPadding),r=ov(this.makeViewport({...e,bearing:0,pitch:0}),[e.longitude,e.latitude],n),i=fv(l[0]),a=fv(l[1]),o=2**e.zoom,s=[i[0]+r.left/o,i[1]+r.bottom/o],c=[a[0]-r.right/o,a[1]-r.top/o],u=fv([e.longitude,e.latitude]),d=[Ul(u[0],s[0],c[0]),Ul(u[1],s[1],c[1])],p=u.slice();if(n.width>=0&&(p[0]=t?.mode===`preserve`?u[0]:f?iv(u[0],d[0],n.width/2/o):d[0]),n.height>=0&&(p[1]=t?.mode===`preserve`?u[1]:f?iv(u[1],d[1],n.height/2/o):d[1]),p[0]!==u[0]||p[1]!==u[1]){let[t,n]=wm(p);p[0]!==u[0]&&(e.longitude=t),p[1]!==u[1]&&(e.latitude=n)}}return e}_constrainZoom(e,t){t||=this.getViewportProps();let{maxZoom:n,maxBounds:r}=t,i=r!==null&&t.width>0&&t.height>0,{minZoom:a}=t;if(i){let e=av(t.width,t.height,t.maxBoundsPadding),i=fv(r[0]),o=fv(r[1]),s=o[0]-i[0],c=o[1]-i[1];e.width>0&&Number.isFinite(s)&&s>0&&(a=Math.max(a,Math.log2(e.width/s))),e.height>0&&Number.isFinite(c)&&c>0&&(a=Math.max(a,Math.log2(e.height/c))),a>n&&(a=n)}return Ul(e,a,n)}_zoomFromCenter(e,t){let{width:n,height:r}=this.getViewportProps();return this.zoom({pos:[n/2,r/2],scale:e},t)}_panFromCenter(e,t){let{width:n,height:r}=this.getViewportProps();return this.pan({startPos:[n/2,r/2],pos:[n/2+e[0],r/2+e[1]]},t)}_getUpdatedState(e,t){return new this.constructor({makeViewport:this.makeViewport,...this.getViewportProps(),...this.getState(),...e,constraintContext:t})}_unproject(e){let t=this.makeViewport(this.getViewportProps());return e&&t.unproject(e)}_unproject3D(e,t){return this.makeViewport(this.getViewportProps()).unproject(e,{targetZ:t})}_getNewRotation(e,t,n,r){let i=e[0]-t[0],a=e[1]-t[1],o=e[1],s=t[1],{width:c,height:l}=this.getViewportProps(),u=i/c,d=0;a>0?Math.abs(l-s)>sv&&(d=a/(s-l)*cv):a<0&&s>sv&&(d=1-o/s),d=Ul(d,-1,1);let{minPitch:f,maxPitch:p}=this.getViewportProps(),m=r+180*u,h=n;return d>0?h=n+d*(p-n):d<0&&(h=n-d*(f-n)),{pitch:h,bearing:m}}},mv=class extends tv{constructor(){super(...arguments),this.ControllerState=pv,this.transition={transitionDuration:300,transitionInterpolator:new q_({transitionProps:{compare:[`longitude`,`latitude`,`zoom`,`bearing`,`pitch`,`position`],required:[`longitude`,`latitude`,`zoom`]}})},this.dragMode=`pan`,this.rotationPivot=`center`,this._getAltitude=e=>{if(this.rotationPivot===`2d`)return 0;if(this.rotationPivot===`3d`&&this.pickPosition){let{x:t,y:n}=this.props,r=this.pickPosition(t+e[0],n+e[1]);if(r&&r.coordinate&&r.coordinate.length>=3)return r.coordinate[2]}}}setProps(e){`rotationPivot`in e&&(this.rotationPivot=e.rotationPivot||`center`),e.getAltitude=this._getAltitude,e.position=e.position||[0,0,0],e.maxBounds=e.maxBounds||(e.normalize===!1?null:uv),super.setProps(e)}updateViewport(e,t=null,n={}){let r=e.getState();n.isDragging&&r.startRotateLngLat?n={...n,rotationPivotPosition:r.startRotateLngLat}:n.isDragging===!1&&(n={...n,rotationPivotPosition:void 0}),super.updateViewport(e,t,n)}},hv=class extends P_{constructor(e={}){super(e)}getViewportType(){return qh}get ControllerType(){return mv}};hv.displayName=`MapView`;var gv=new kh;function _v(e,t){return(e.order??1/0)-(t.order??1/0)}var vv=class{constructor(e){this._resolvedEffects=[],this._defaultEffects=[],this.effects=[],this._context=e,this._needsRedraw=`Initial render`,this._setEffects([])}addDefaultEffect(e){let t=this._defaultEffects;if(!t.find(t=>t.id===e.id)){let n=t.findIndex(t=>_v(t,e)>0);n<0?t.push(e):t.splice(n,0,e),e.setup(this._context),this._setEffects(this.effects)}}setProps(e){`effects`in e&&(b_(e.effects,this.effects,1)||this._setEffects(e.effects))}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}getEffects(){return this._resolvedEffects}_setEffects(e){let t={};for(let e of this.effects)t[e.id]=e;let n=[];for(let r of e){let e=t[r.id],i=r;e&&e!==r?e.setProps?(e.setProps(r.props),i=e):e.cleanup(this._context):e||r.setup(this._context),n.push(i),delete t[r.id]}for(let e in t)t[e].cleanup(this._context);this.effects=n,this._resolvedEffects=n.concat(this._defaultEffects),e.some(e=>e instanceof kh)||this._resolvedEffects.push(gv),this._needsRedraw=`effects changed`}finalize(){for(let e of this._resolvedEffects)e.cleanup(this._context);this.effects.length=0,this._resolvedEffects.length=0,this._defaultEffects.length=0}},yv=class extends xh{shouldDrawLayer(e){let{operation:t}=e.props;return t.includes(`draw`)||t.includes(`terrain`)}render(e){return this._render(e)}},bv=`deckRenderer.renderLayers`,xv=class{constructor(e,t={}){this.device=e,this.stats=t.stats,this.layerFilter=null,this.drawPickingColors=!1,this.drawLayersPass=new yv(e),this.pickLayersPass=new n_(e),this.renderCount=0,this._needsRedraw=`Initial render`,this.renderBuffers=[],this.lastPostProcessEffect=null}setProps(e){this.layerFilter!==e.layerFilter&&(this.layerFilter=e.layerFilter,this._needsRedraw=`layerFilter changed`),this.drawPickingColors!==e.drawPickingColors&&(this.drawPickingColors=e.drawPickingColors,this._needsRedraw=`drawPickingColors changed`)}renderLayers(e){let t=this.drawPickingColors?this.pickLayersPass:this.drawLayersPass,n={layerFilter:this.layerFilter,isPicking:this.drawPickingColors,...e};if(!e.viewports.length){let e=t.render(n),r=`stats`in e?e.stats:e;this._updateStats(r);return}n.effects&&this._preRender(n.effects,n);let r=this.lastPostProcessEffect?this.renderBuffers[0]:n.target;this.lastPostProcessEffect&&(n.clearColor=[0,0,0,0],n.clearCanvas=!0);let i=t.render({...n,target:r}),a=`stats`in i?i.stats:i;n.effects&&(this.lastPostProcessEffect&&(n.clearCanvas=e.clearCanvas===void 0||e.clearCanvas),this._postRender(n.effects,n)),this.renderCount++,Fc(bv,this,a,e),this._updateStats(a)}needsRedraw(e={clearRedrawFlags:!1}){let t=this._needsRedraw;return e.clearRedrawFlags&&(this._needsRedraw=!1),t}finalize(){let{renderBuffers:e}=this;for(let t of e)t.delete();e.length=0}_updateStats(e){if(!this.stats)return;let t=0;for(let{visibleCount:n}of e)t+=n;this.stats.get(`Layers rendered`).addCount(t)}_preRender(e,t){this.lastPostProcessEffect=null,t.preRenderStats=t.preRenderStats||{};for(let n of e)t.preRenderStats[n.id]=n.preRender(t),n.postRender&&(this.lastPostProcessEffect=n.id);this.lastPostProcessEffect&&this._resizeRenderBuffers(t.canvasContext)}_resizeRenderBuffers(e=this.device.canvasContext){let{renderBuffers:t}=this,n=e.getDrawingBufferSize(),[r,i]=n;t.length===0&&[0,1].map(e=>{let n=this.device.createTexture({sampler:{minFilter:`linear`,magFilter:`linear`},width:r,height:i});t.push(this.device.createFramebuffer({id:`deck-renderbuffer-${e}`,colorAttachments:[n]}))});for(let e of t)e.resize(n)}_postRender(e,t){let{renderBuffers:n}=this,r=t.target??t.canvasContext?.getCurrentFramebuffer()??t.target,i={...t,inputBuffer:n[0],swapBuffer:n[1]};for(let t of e)if(t.postRender){i.target=t.id===this.lastPostProcessEffect?r:void 0;let e=t.postRender(i);i.inputBuffer=e,i.swapBuffer=e===n[0]?n[1]:n[0]}}},Sv={pickedColor:null,pickedObjectIndex:-1};function Cv({pickedColors:e,decodePickingColor:t,deviceX:n,deviceY:r,deviceRadius:i,deviceRect:a}){let{x:o,y:s,width:c,height:l}=a,u=i*i,d=-1,f=0;for(let t=0;t<l;t++){let i=t+s-r,a=i*i;if(a>u)f+=4*c;else for(let t=0;t<c;t++){if(e[f+3]-1>=0){let e=t+o-n,r=e*e+a;r<=u&&(u=r,d=f)}f+=4}}if(d>=0){let n=e.slice(d,d+4),r=t(n);if(r){let e=Math.floor(d/4/c),t=d/4-e*c;return{...r,pickedColor:n,pickedX:o+t,pickedY:s+e}}K.error(`Picked non-existent layer. Is picking buffer corrupt?`)()}return Sv}function wv({pickedColors:e,decodePickingColor:t}){let n=new Map;if(e){for(let r=0;r<e.length;r+=4)if(e[r+3]-1>=0){let i=e.slice(r,r+4),a=i.join(`,`);if(!n.has(a)){let e=t(i);e?n.set(a,{...e,color:i}):K.error(`Picked non-existent layer. Is picking buffer corrupt?`)()}}}return Array.from(n.values())}function Tv({pickInfo:e,viewports:t,pixelRatio:n,x:r,y:i,z:a}){let o=t[0];t.length>1&&(o=Ov(e?.pickedViewports||t,{x:r,y:i}));let s;if(o){let e=[r-o.x,i-o.y];a!==void 0&&(e[2]=a),s=o.unproject(e)}return{color:null,layer:null,viewport:o,index:-1,picked:!1,x:r,y:i,pixel:[r,i],coordinate:s,devicePixel:e&&`pickedX`in e?[e.pickedX,e.pickedY]:void 0,pixelRatio:n}}function Ev(e){let{pickInfo:t,lastPickedInfo:n,mode:r,layers:i}=e,{pickedColor:a,pickedLayer:o,pickedObjectIndex:s}=t,c=o?[o]:[];if(r===`hover`){let e=n.index,t=n.layerId,r=o?o.props.id:null;if(r!==t||s!==e){if(r!==t){let e=i.find(e=>e.props.id===t);e&&c.unshift(e)}n.layerId=r,n.index=s,n.info=null}}let l=Tv(e),u=new Map;return u.set(null,l),c.forEach(e=>{let t={...l};e===o&&(t.color=a,t.index=s,t.picked=!0),t=Dv({layer:e,info:t,mode:r});let i=t.layer;e===o&&r===`hover`&&(n.info=t),u.set(i.id,t),r===`hover`&&i.updateAutoHighlight(t)}),u}function Dv({layer:e,info:t,mode:n}){for(;e&&t;){let r=t.layer||null;t.sourceLayer=r,t.layer=e,t=e.getPickingInfo({info:t,mode:n,sourceLayer:r}),e=e.parent}return t}function Ov(e,t){for(let n=e.length-1;n>=0;n--){let r=e[n];if(r.containsPixel(t))return r}return e[0]}var kv=class{constructor(e,t={}){this._pickable=!0,this.device=e,this.stats=t.stats,this.pickLayersPass=new n_(e),this.lastPickedInfo={index:-1,layerId:null,info:null}}setProps(e){`layerFilter`in e&&(this.layerFilter=e.layerFilter),`_pickable`in e&&(this._pickable=e._pickable)}finalize(){this.pickingFBO&&this.pickingFBO.destroy(),this.depthFBO&&this.depthFBO.destroy()}pickObjectAsync(e){return this._pickClosestObjectAsync(e)}pickObjectsAsync(e){return this._pickVisibleObjectsAsync(e)}pickObject(e){return this._pickClosestObject(e)}pickObjects(e){return this._pickVisibleObjects(e)}getLastPickedObject({x:e,y:t,layers:n,viewports:r},i=this.lastPickedInfo.info){let a=i&&i.layer&&i.layer.id,o=i&&i.viewport&&i.viewport.id,s=a?n.find(e=>e.id===a):null,c=o&&r.find(e=>e.id===o)||r[0],l={x:e,y:t,viewport:c,coordinate:c&&c.unproject([e-c.x,t-c.y]),layer:s};return{...i,...l}}_resizeBuffer(e=this.device.getDefaultCanvasContext()){if(!this.pickingFBO){let e=this.device.createTexture({format:`rgba8unorm`,width:1,height:1,usage:me.RENDER_ATTACHMENT|me.COPY_SRC});if(this.pickingFBO=this.device.createFramebuffer({colorAttachments:[e],depthStencilAttachment:`depth16unorm`}),this.device.isTextureFormatRenderable(`rgba32float`)){let e=this.device.createTexture({format:`rgba32float`,width:1,height:1,usage:me.RENDER_ATTACHMENT|me.COPY_SRC}),t=this.device.createFramebuffer({colorAttachments:[e],depthStencilAttachment:`depth16unorm`});this.depthFBO=t}}let[t,n]=e.getDrawingBufferSize();this.pickingFBO?.resize({width:t,height:n}),this.depthFBO?.resize({width:t,height:n})}_getPickable(e){if(this._pickable===!1)return null;let t=e.filter(e=>this.pickLayersPass.shouldDrawLayer(e)&&!e.isComposite);return t.length?t:null}async _pickClosestObjectAsync({layers:e,views:t,viewports:n,x:r,y:i,radius:a=0,depth:o=1,mode:s=`query`,unproject3D:c,canvasContext:l=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let f=l.cssToDeviceRatio(),p=this._getPickable(e);if(!p||n.length===0)return{result:[],emptyInfo:Tv({viewports:n,x:r,y:i,pixelRatio:f})};this._resizeBuffer(l);let m=l.cssToDevicePixels([r,i],!0),h=[m.x+Math.floor(m.width/2),m.y+Math.floor(m.height/2)],g=Math.round(a*f),{width:_,height:v}=this.pickingFBO,y=this._getPickingRect({deviceX:h[0],deviceY:h[1],deviceRadius:g,deviceWidth:_,deviceHeight:v}),b={x:r-a,y:i-a,width:a*2+1,height:a*2+1},x,S=[],C=new Set;for(let e=0;e<o;e++){let a;a=y?Cv({...await this._drawAndSampleAsync({layers:p,views:t,viewports:n,onViewportActive:u,deviceRect:y,cullRect:b,effects:d,pass:`picking:${s}`,canvasContext:l}),deviceX:h[0],deviceY:h[1],deviceRadius:g,deviceRect:y}):{pickedColor:null,pickedObjectIndex:-1};let m,_=this._getDepthLayers(a,p,c);if(_.length>0){let{pickedColors:e}=await this._drawAndSampleAsync({layers:_,views:t,viewports:n,onViewportActive:u,deviceRect:{x:a.pickedX??h[0],y:a.pickedY??h[1],width:1,height:1},cullRect:b,effects:d,pass:`picking:${s}:z`,canvasContext:l},!0);e[3]&&(m=e[0])}a.pickedLayer&&e+1<o&&(C.add(a.pickedLayer),a.pickedLayer.disablePickingIndex(a.pickedObjectIndex)),x=Ev({pickInfo:a,lastPickedInfo:this.lastPickedInfo,mode:s,layers:p,viewports:n,x:r,y:i,z:m,pixelRatio:f});for(let e of x.values())e.layer&&S.push(e);if(!a.pickedColor)break}for(let e of C)e.restorePickingColors();return{result:S,emptyInfo:x.get(null)}}_pickClosestObject({layers:e,views:t,viewports:n,x:r,y:i,radius:a=0,depth:o=1,mode:s=`query`,unproject3D:c,canvasContext:l=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let f=l.cssToDeviceRatio(),p=this._getPickable(e);if(!p||n.length===0)return{result:[],emptyInfo:Tv({viewports:n,x:r,y:i,pixelRatio:f})};this._resizeBuffer(l);let m=l.cssToDevicePixels([r,i],!0),h=[m.x+Math.floor(m.width/2),m.y+Math.floor(m.height/2)],g=Math.round(a*f),{width:_,height:v}=this.pickingFBO,y=this._getPickingRect({deviceX:h[0],deviceY:h[1],deviceRadius:g,deviceWidth:_,deviceHeight:v}),b={x:r-a,y:i-a,width:a*2+1,height:a*2+1},x,S=[],C=new Set;for(let e=0;e<o;e++){let a;a=y?Cv({...this._drawAndSample({layers:p,views:t,viewports:n,onViewportActive:u,deviceRect:y,cullRect:b,effects:d,pass:`picking:${s}`,canvasContext:l}),deviceX:h[0],deviceY:h[1],deviceRadius:g,deviceRect:y}):{pickedColor:null,pickedObjectIndex:-1};let m,_=this._getDepthLayers(a,p,c);if(_.length>0){let{pickedColors:e}=this._drawAndSample({layers:_,views:t,viewports:n,onViewportActive:u,deviceRect:{x:a.pickedX??h[0],y:a.pickedY??h[1],width:1,height:1},cullRect:b,effects:d,pass:`picking:${s}:z`,canvasContext:l},!0);e[3]&&(m=e[0])}a.pickedLayer&&e+1<o&&(C.add(a.pickedLayer),a.pickedLayer.disablePickingIndex(a.pickedObjectIndex)),x=Ev({pickInfo:a,lastPickedInfo:this.lastPickedInfo,mode:s,layers:p,viewports:n,x:r,y:i,z:m,pixelRatio:f});for(let e of x.values())e.layer&&S.push(e);if(!a.pickedColor)break}for(let e of C)e.restorePickingColors();return{result:S,emptyInfo:x.get(null)}}async _pickVisibleObjectsAsync({layers:e,views:t,viewports:n,x:r,y:i,width:a=1,height:o=1,mode:s=`query`,maxObjects:c=null,canvasContext:l=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let f=this._getPickable(e);if(!f||n.length===0)return[];this._resizeBuffer(l);let p=l.cssToDeviceRatio(),m=l.cssToDevicePixels([r,i],!0),h=m.x,g=m.y+m.height,_=l.cssToDevicePixels([r+a,i+o],!0),v=_.x+_.width,y=_.y,b={x:h,y,width:v-h,height:g-y},x=wv(await this._drawAndSampleAsync({layers:f,views:t,viewports:n,onViewportActive:u,deviceRect:b,cullRect:{x:r,y:i,width:a,height:o},effects:d,pass:`picking:${s}`,canvasContext:l})),S=new Map,C=[],w=Number.isFinite(c);for(let e=0;e<x.length&&!(w&&C.length>=c);e++){let t=x[e],n={color:t.pickedColor,layer:null,index:t.pickedObjectIndex,picked:!0,x:r,y:i,pixelRatio:p};n=Dv({layer:t.pickedLayer,info:n,mode:s});let a=n.layer.id;S.has(a)||S.set(a,new Set);let o=S.get(a),c=n.object??n.index;o.has(c)||(o.add(c),C.push(n))}return C}_pickVisibleObjects({layers:e,views:t,viewports:n,x:r,y:i,width:a=1,height:o=1,mode:s=`query`,maxObjects:c=null,canvasContext:l=this.device.getDefaultCanvasContext(),onViewportActive:u,effects:d}){let f=this._getPickable(e);if(!f||n.length===0)return[];this._resizeBuffer(l);let p=l.cssToDeviceRatio(),m=l.cssToDevicePixels([r,i],!0),h=m.x,g=m.y+m.height,_=l.cssToDevicePixels([r+a,i+o],!0),v=_.x+_.width,y=_.y,b={x:h,y,width:v-h,height:g-y},x=wv(this._drawAndSample({layers:f,views:t,viewports:n,onViewportActive:u,deviceRect:b,cullRect:{x:r,y:i,width:a,height:o},effects:d,pass:`picking:${s}`,canvasContext:l})),S=new Map,C=[],w=Number.isFinite(c);for(let e=0;e<x.length&&!(w&&C.length>=c);e++){let t=x[e],n={color:t.pickedColor,layer:null,index:t.pickedObjectIndex,picked:!0,x:r,y:i,pixelRatio:p};n=Dv({layer:t.pickedLayer,info:n,mode:s});let a=n.layer.id;S.has(a)||S.set(a,new Set);let o=S.get(a),c=n.object??n.index;o.has(c)||(o.add(c),C.push(n))}return C}async _drawAndSampleAsync({layers:e,views:t,viewports:n,onViewportActive:r,deviceRect:i,cullRect:a,effects:o,pass:s,canvasContext:c},l=!1){let u=l?this.depthFBO:this.pickingFBO,d={layers:e,layerFilter:this.layerFilter,views:t,viewports:n,onViewportActive:r,pickingFBO:u,deviceRect:i,cullRect:a,effects:o,pass:s,canvasContext:c,pickZ:l,preRenderStats:{},isPicking:!0};for(let e of o)e.useInPicking&&(d.preRenderStats[e.id]=e.preRender(d));let{decodePickingColor:f,stats:p}=this.pickLayersPass.render(d);this._updateStats(p);let{x:m,y:h,width:g,height:_}=i,v=u.colorAttachments[0]?.texture;if(!v)throw Error(`Picking framebuffer color attachment is missing`);let y=await this._readTextureDataAsync(v,{x:m,y:h,width:g,height:_},l?Float32Array:Uint8Array);if(!l){let e=!1;for(let t=3;t<y.length;t+=4)if(y[t]!==0){e=!0;break}!e&&y.length>0&&K.warn(`Async pick readback returned only zero alpha values`,{deviceRect:i,bytes:Array.from(y.subarray(0,Math.min(y.length,16)))})()}return{pickedColors:y,decodePickingColor:f}}async _readTextureDataAsync(e,t,r){let{width:i,height:a}=t,o=e.computeMemoryLayout(t),s=this.device.createBuffer({byteLength:o.byteLength,usage:n.COPY_DST|n.MAP_READ});try{e.readBuffer(t,s);let n=await s.readAsync(0,o.byteLength),c=r.BYTES_PER_ELEMENT;if(o.bytesPerRow%c!==0)throw Error(`Texture readback row stride ${o.bytesPerRow} is not aligned to ${c}-byte elements.`);let l=new r(n.buffer,n.byteOffset,o.byteLength/c),u=i*4,d=o.bytesPerRow/c;if(d<u)throw Error(`Texture readback row stride ${d} is smaller than packed row length ${u}.`);let f=new r(i*a*4);for(let e=0;e<a;e++){let t=e*d;f.set(l.subarray(t,t+u),e*u)}return f}finally{s.destroy()}}_drawAndSample({layers:e,views:t,viewports:n,onViewportActive:r,deviceRect:i,cullRect:a,effects:o,pass:s,canvasContext:c},l=!1){let u=l?this.depthFBO:this.pickingFBO,d={layers:e,layerFilter:this.layerFilter,views:t,viewports:n,onViewportActive:r,pickingFBO:u,deviceRect:i,cullRect:a,effects:o,pass:s,canvasContext:c,pickZ:l,preRenderStats:{},isPicking:!0};for(let e of o)e.useInPicking&&(d.preRenderStats[e.id]=e.preRender(d));let{decodePickingColor:f,stats:p}=this.pickLayersPass.render(d);this._updateStats(p);let{x:m,y:h,width:g,height:_}=i,v=new(l?Float32Array:Uint8Array)(g*_*4);return this.device.readPixelsToArrayWebGL(u,{sourceX:m,sourceY:h,sourceWidth:g,sourceHeight:_,target:v}),{pickedColors:v,decodePickingColor:f}}_updateStats(e){if(!this.stats)return;let t=0;for(let{visibleCount:n}of e)t+=n;this.stats.get(`Layers picked`).addCount(t)}_getDepthLayers(e,t,n){if(!n||!this.depthFBO)return[];let{pickedLayer:r}=e,i=r?.state?.terrainDrawMode===`drape`;return r&&!i?[r]:t.filter(e=>e.props.operation.includes(`terrain`))}_getPickingRect({deviceX:e,deviceY:t,deviceRadius:n,deviceWidth:r,deviceHeight:i}){let a=Math.max(0,e-n),o=Math.max(0,t-n),s=Math.min(r,e+n+1)-a,c=Math.min(i,t+n+1)-o;return s<=0||c<=0?null:{x:a,y:o,width:s,height:c}}},Av={"top-left":{top:0,left:0},"top-right":{top:0,right:0},"bottom-left":{bottom:0,left:0},"bottom-right":{bottom:0,right:0},fill:{top:0,left:0,bottom:0,right:0}},jv=`top-left`,Mv=`root`,Nv=class{constructor({deck:e,parentElement:t}){this.defaultWidgets=[],this.widgets=[],this.resolvedWidgets=[],this.containers={},this.lastViewports={},this.deck=e,t?.classList.add(`deck-widget-container`),this.parentElement=t}getWidgets(){return this.resolvedWidgets}setProps(e){if(e.widgets&&!b_(e.widgets,this.widgets,1)){let t=e.widgets.filter(Boolean);this._setWidgets(t)}}finalize(){for(let e of this.getWidgets())this._removeWidget(e);this.defaultWidgets.length=0,this.resolvedWidgets.length=0;for(let e in this.containers)this.containers[e].remove()}addDefault(e){this.defaultWidgets.find(t=>t.id===e.id)||(this._addWidget(e),this.defaultWidgets.push(e),this._setWidgets(this.widgets))}onRedraw({viewports:e,layers:t}){let n=e.reduce((e,t)=>(e[t.id]=t,e),{});for(let r of this.getWidgets()){let{viewId:i}=r;if(i){let e=n[i];e&&(r.onViewportChange&&r.onViewportChange(e),r.onRedraw?.({viewports:[e],layers:t}))}else{if(r.onViewportChange)for(let t of e)r.onViewportChange(t);r.onRedraw?.({viewports:e,layers:t})}}this.lastViewports=n,this._updateContainers()}onHover(e,t){for(let n of this.getWidgets()){let{viewId:r}=n;r&&r!==e.viewport?.id||n.onHover?.(e,t)}}getCanvasBounds(e){let t=(this.deck?.getCanvas?.())?.getBoundingClientRect(),n=this.parentElement?.getBoundingClientRect(),r=this.deck?.getCanvasContext?.(e?.id);if(r&&n){r.updatePosition();let[e,t]=r.getPosition(),[i,a]=r.getCSSSize();return{x:e-n.left,y:t-n.top,width:i,height:a}}return{x:t&&n?t.left-n.left:0,y:t&&n?t.top-n.top:0,width:t?.width||this.deck?.width||0,height:t?.height||this.deck?.height||0}}onEvent(e,t){let n=Bp[t.type];if(n)for(let r of this.getWidgets()){let{viewId:i}=r;i&&i!==e.viewport?.id||r[n]?.(e,t)}}_setWidgets(e){let t={};for(let e of this.resolvedWidgets)t[e.id]=e;this.resolvedWidgets.length=0;for(let e of this.defaultWidgets)t[e.id]=null,this.resolvedWidgets.push(e);for(let n of e){let e=t[n.id];e?e.viewId!==n.viewId||e.placement!==n.placement?(this._removeWidget(e),this._addWidget(n)):n!==e&&(e.setProps(n.props),n=e):this._addWidget(n),t[n.id]=null,this.resolvedWidgets.push(n)}for(let e in t){let n=t[e];n&&this._removeWidget(n)}this.widgets=e}_addWidget(e){let{viewId:t=null,placement:n=jv}=e,r=e.props._container??t;e.widgetManager=this,e.deck=this.deck,e.rootElement=e._onAdd({deck:this.deck,viewId:t}),e.rootElement&&this._getContainer(r,n).append(e.rootElement),e.updateHTML()}_removeWidget(e){e.onRemove?.(),e.rootElement&&e.rootElement.remove(),e.rootElement=void 0,e.deck=void 0,e.widgetManager=void 0}_getContainer(e,t){if(e&&typeof e!=`string`)return e;let n=e||Mv,r=this.containers[n];r||(r=document.createElement(`div`),r.style.pointerEvents=`none`,r.style.position=`absolute`,r.style.overflow=`hidden`,this.parentElement?.append(r),this.containers[n]=r);let i=r.querySelector(`.${t}`);return i||(i=globalThis.document.createElement(`div`),i.className=t,i.style.position=`absolute`,i.style.zIndex=`2`,Object.assign(i.style,Av[t]),r.append(i)),i}_updateContainers(){for(let e in this.containers){let t=this.lastViewports[e]||null,n=e===Mv||t,r=this.containers[e];if(n){let e=this._getContainerBounds(t);r.style.display=`block`,r.style.left=`${e.x}px`,r.style.top=`${e.y}px`,r.style.width=`${e.width}px`,r.style.height=`${e.height}px`}else r.style.display=`none`}}_getContainerBounds(e){if(!e)return{x:0,y:0,width:this.parentElement?.clientWidth||this.deck.width,height:this.parentElement?.clientHeight||this.deck.height};let t=this.getCanvasBounds(e);return{x:t.x+e.x,y:t.y+e.y,width:e.width,height:e.height}}};function Pv(e,t){t&&Object.entries(t).map(([t,n])=>{t.startsWith(`--`)?e.style.setProperty(t,n):e.style[t]=n})}function Fv(e,t){t&&Object.keys(t).map(t=>{t.startsWith(`--`)?e.style.removeProperty(t):e.style[t]=``})}var Iv=class{constructor(e){this.viewId=null,this.props={...this.constructor.defaultProps,...e},this.id=this.props.id}setProps(e){let t=this.props,n=this.rootElement;n&&t.className!==e.className&&(t.className&&n.classList.remove(t.className),e.className&&n.classList.add(e.className)),n&&!b_(t.style,e.style,1)&&(Fv(n,t.style),Pv(n,e.style)),Object.assign(this.props,e),this.updateHTML()}updateHTML(){this.rootElement&&this.onRenderHTML(this.rootElement)}get viewIds(){return this.viewId?[this.viewId]:this.deck?.getViews().map(e=>e.id)??[]}getViewState(e){return this.deck?.viewManager?.getViewState(e)||{}}setViewState(e,t){this.deck?._onViewStateChange({viewId:e,viewState:t,interactionState:{}})}onCreateRootElement(){let e=[`deck-widget`,this.className,this.props.className],t=document.createElement(`div`);return e.filter(e=>typeof e==`string`&&e.length>0).forEach(e=>t.classList.add(e)),Pv(t,this.props.style),t}_onAdd(e){return this.onAdd(e)??this.onCreateRootElement()}onAdd(e){}onRemove(){}onViewportChange(e){}onRedraw(e){}onHover(e,t){}onClick(e,t){}onDrag(e,t){}onDragStart(e,t){}onDragEnd(e,t){}};Iv.defaultProps={id:`widget`,style:{},_container:null,className:``};var Lv={zIndex:`1`,position:`absolute`,pointerEvents:`none`,color:`#a0a7b4`,backgroundColor:`#29323c`,padding:`10px`,top:`0`,left:`0`,display:`none`},Rv=class extends Iv{constructor(e={}){super(e),this.id=`default-tooltip`,this.placement=`fill`,this.className=`deck-tooltip`,this.isVisible=!1,this.setProps(e)}onCreateRootElement(){let e=document.createElement(`div`);return e.className=this.className,Object.assign(e.style,Lv),e}onRenderHTML(e){}onViewportChange(e){this.isVisible&&e.id===this.lastViewport?.id&&!e.equals(this.lastViewport)&&this.setTooltip(null),this.lastViewport=e}onHover(e){let{deck:t}=this,n=t&&t.props.getTooltip;if(!n)return;let r=n(e),i=this.widgetManager?.getCanvasBounds(e.viewport),a=e.x+(i?.x||0),o=e.y+(i?.y||0);this.setTooltip(r,a,o)}setTooltip(e,t,n){let r=this.rootElement;if(r){if(typeof e==`string`)r.innerText=e;else if(e)e.text&&(r.innerText=e.text),e.html&&(r.innerHTML=e.html),e.className&&(r.className=e.className);else{this.isVisible=!1,r.style.display=`none`;return}this.isVisible=!0,r.style.display=`block`,r.style.transform=`translate(${t}px, ${n}px)`,e&&typeof e==`object`&&`style`in e&&Object.assign(r.style,e.style)}}};Rv.defaultProps={...Iv.defaultProps};var zv=class{constructor(e){this.targets={},this.order=[],this.eventManagers={},this._eventRootToCanvasId=new WeakMap,this._createEventManager=e.createEventManager,this._getEventRoot=e.getEventRoot}finalize(){for(let e of Object.values(this.targets))e.eventManager.destroy(),e.presentationContext.destroy();this.targets={},this.order=[],this.eventManagers={},this._eventRootToCanvasId=new WeakMap}syncCanvasEntries(e){let t=this._normalizeCanvasList(e.canvases),n={},r=[],i=new Map;for(let{canvas:e}of t){let t=this._getEventRoot(e);i.set(t,(i.get(t)||0)+1)}for(let{id:a,canvas:o}of t){let t=this._getEventRoot(o),s=i.get(t)===1?t:o,c=this.targets[a];if(!c||c.device!==e.device||c.canvas!==o||c.eventRoot!==s){c?.eventManager.destroy(),c?.presentationContext.destroy();let t=e.device.createPresentationContext({id:a,canvas:o,useDevicePixels:e.useDevicePixels,autoResize:!0});c={id:a,device:e.device,canvas:o,eventRoot:s,presentationContext:t,eventManager:this._createEventManager(s)}}this._eventRootToCanvasId.set(s,a),this._eventRootToCanvasId.set(o,a),n[a]=c,r.push(a)}for(let[e,t]of Object.entries(this.targets))n[e]||(t.eventManager.destroy(),t.presentationContext.destroy());this.targets=n,this.order=r;let a=Object.fromEntries(Object.entries(n).map(([e,t])=>[e,t.eventManager]));this._haveSameEventManagers(a)||(this.eventManagers=a)}getCanvasIdFromEvent(e){return e?this._eventRootToCanvasId.get(e):void 0}getTarget(e){return this.targets[e||this.order[0]||`default-canvas`]||null}_normalizeCanvasList(e=[]){let t=new Set;return e.map((e,n)=>{let r,i;return typeof e==`string`?(r=document.getElementById(e),U_(r,`Canvas with id ${e} not found`),i=e):(r=e,i=r.id||`deckgl-canvas-${n}`),U_(!t.has(i),`Duplicate canvas id ${i}`),t.add(i),{id:i,canvas:r}})}_haveSameEventManagers(e){let t=Object.keys(e),n=Object.keys(this.eventManagers);return t.length===n.length&&t.every(t=>e[t]===this.eventManagers[t])}},Bv={WEBGL_depth_texture:{UNSIGNED_INT_24_8_WEBGL:34042},OES_element_index_uint:{},OES_texture_float:{},OES_texture_half_float:{HALF_FLOAT_OES:5131},EXT_color_buffer_float:{},OES_standard_derivatives:{FRAGMENT_SHADER_DERIVATIVE_HINT_OES:35723},EXT_frag_depth:{},EXT_blend_minmax:{MIN_EXT:32775,MAX_EXT:32776},EXT_shader_texture_lod:{}},Vv=e=>({drawBuffersWEBGL(t){return e.drawBuffers(t)},COLOR_ATTACHMENT0_WEBGL:36064,COLOR_ATTACHMENT1_WEBGL:36065,COLOR_ATTACHMENT2_WEBGL:36066,COLOR_ATTACHMENT3_WEBGL:36067}),Hv=e=>({VERTEX_ARRAY_BINDING_OES:34229,createVertexArrayOES(){return e.createVertexArray()},deleteVertexArrayOES(t){return e.deleteVertexArray(t)},isVertexArrayOES(t){return e.isVertexArray(t)},bindVertexArrayOES(t){return e.bindVertexArray(t)}}),Uv=e=>({VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE:35070,drawArraysInstancedANGLE(...t){return e.drawArraysInstanced(...t)},drawElementsInstancedANGLE(...t){return e.drawElementsInstanced(...t)},vertexAttribDivisorANGLE(...t){return e.vertexAttribDivisor(...t)}});function Wv(e=!0){let t=HTMLCanvasElement.prototype;!e&&t.originalGetContext?(t.getContext=t.originalGetContext,t.originalGetContext=void 0):(t.originalGetContext=t.getContext,t.getContext=function(e,t){if(e===`webgl`||e===`experimental-webgl`){let e=this.originalGetContext(`webgl2`,t);return e instanceof HTMLElement&&Gv(e),e}return this.originalGetContext(e,t)})}function Gv(e){e.getExtension(`EXT_color_buffer_float`);let t={...Bv,WEBGL_disjoint_timer_query:e.getExtension(`EXT_disjoint_timer_query_webgl2`),WEBGL_draw_buffers:Vv(e),OES_vertex_array_object:Hv(e),ANGLE_instanced_arrays:Uv(e)},n=e.getExtension.bind(e);e.getExtension=function(e){return n(e)||(e in t?t[e]:null)};let r=e.getSupportedExtensions;e.getSupportedExtensions=function(){return(r.apply(e)||[])?.concat(Object.keys(t))}}var Kv=null,qv=!1;async function Jv(){Qv()}function Yv(e,t){return Qv(),e}async function Xv(e){Qv()}function Zv(e){return Kv?.initialize(e)||null}function Qv(){qv||(qv=!0,i.warn(`Import @luma.gl/webgl/debug before enabling WebGL debugging.`)())}var $v=(function(){let e=typeof document<`u`&&document.createElement(`link`).relList;return e&&e.supports&&e.supports(`modulepreload`)?`modulepreload`:`preload`})(),ey=function(e,t){return new URL(e,t).href},ty={},ny=function(e){return e.pathname.endsWith(`.css`)},ry=function(e,t,n){if(t in e)return e[t];let r=n();if(!r){e[t]=void 0;return}let i=r.then(()=>{e[t]=void 0},n=>{throw e[t]=void 0,n});return e[t]=i,i},iy=function(e,t,n){let r=Promise.resolve();if(t&&t.length>0){let e,i=document.querySelector(`meta[property=csp-nonce]`),a=i?.nonce||i?.getAttribute(`nonce`);function o(e){return Promise.all(e.map(e=>Promise.resolve(e).then(e=>({status:`fulfilled`,value:e}),e=>({status:`rejected`,reason:e}))))}function s(e){return import.meta.resolve?new URL(import.meta.resolve(e)):new URL(e,import.meta.url)}r=o(t.map(t=>{t=ey(t,n);let r=s(t),i=ny(r);return ry(ty,r.href,()=>{if(e===void 0){e={all:new Set,styles:new Set};let t=document.getElementsByTagName(`link`);for(let n=t.length-1;n>=0;n--){let r=t[n];e.all.add(r.href),r.rel===`stylesheet`&&e.styles.add(r.href)}}if((i?e.styles:e.all).has(r.href))return;let t=document.createElement(`link`);if(t.rel=i?`stylesheet`:$v,i||(t.as=`script`),t.crossOrigin=``,t.href=r.href,a&&t.setAttribute(`nonce`,a),document.head.appendChild(t),i)return new Promise((e,n)=>{let i=a=>{t.removeEventListener(`load`,i),t.removeEventListener(`error`,i),a.type===`error`?n(Error(`Unable to preload CSS for ${r}`)):e(a)};t.addEventListener(`load`,i),t.addEventListener(`error`,i)})})}).filter(e=>e!==void 0))}function i(e){let t=new Event(`vite:preloadError`,{cancelable:!0});if(t.payload=e,window.dispatchEvent(t),!t.defaultPrevented)throw e}return r.then(t=>{for(let e of t||[])e.status===`rejected`&&i(e.reason);return e().catch(i)})},ay=1,oy=class extends $c{type=`webgl`;enforceWebGL2(e){Wv(e)}isSupported(){return typeof WebGL2RenderingContext<`u`}isDeviceHandle(e){return typeof WebGL2RenderingContext<`u`&&e instanceof WebGL2RenderingContext||(typeof WebGLRenderingContext<`u`&&e instanceof WebGLRenderingContext&&i.warn(`WebGL1 is not supported`,e)(),!1)}async attach(e,t={}){let{WebGLDevice:n}=await iy(async()=>{let{WebGLDevice:e}=await Promise.resolve().then(()=>uS);return{WebGLDevice:e}},void 0,import.meta.url);if(e instanceof n)return e;let r=n.getDeviceFromContext(e);if(r)return r;if(!sy(e))throw Error(`Invalid WebGL2RenderingContext`);t=ly(t),await uy(t);let i=t.createCanvasContext===!0?{}:t.createCanvasContext;return new n({...t,_handle:e,createCanvasContext:{canvas:e.canvas,autoResize:!1,...i}})}async create(e={}){let{WebGLDevice:t}=await iy(async()=>{let{WebGLDevice:e}=await Promise.resolve().then(()=>uS);return{WebGLDevice:e}},void 0,import.meta.url);e=ly(e),await uy(e);try{let n=new t(e);i.groupCollapsed(ay,`WebGLDevice ${n.id} created`)();let r=`\
${n._reused?`Reusing`:`Created`} device with WebGL2 ${n.props.debug?`debug `:``}context: \
${n.info.vendor}, ${n.info.renderer} for canvas: ${n.canvasContext.id}`;return i.probe(ay,r)(),i.table(ay,n.info)(),n}finally{i.groupEnd(ay)(),i.info(ay,`%cWebGL call tracing: luma.log.set('debug-webgl') `,`color: white; background: blue; padding: 2px 6px; border-radius: 3px;`)()}}};function sy(e){return typeof WebGL2RenderingContext<`u`&&e instanceof WebGL2RenderingContext||!!(e&&typeof e.createVertexArray==`function`)}var cy=new oy;function ly(e){return{...e,debug:e.debug??ml.defaultProps.debug,debugWebGL:e.debugWebGL??ml.defaultProps.debugWebGL,debugSpectorJS:e.debugSpectorJS??!!i.get(`debug-spectorjs`)}}async function uy(e){let t=[];(e.debugWebGL||e.debug)&&t.push(Jv()),e.debugSpectorJS&&t.push(Xv(e));let n=await Promise.allSettled(t);for(let e of n)e.status===`rejected`&&i.error(`Failed to initialize debug libraries ${e.reason}`)()}var dy={3042:!1,32773:new Float32Array([0,0,0,0]),32777:32774,34877:32774,32969:1,32968:0,32971:1,32970:0,3106:new Float32Array([0,0,0,0]),3107:[!0,!0,!0,!0],2884:!1,2885:1029,2929:!1,2931:1,2932:513,2928:new Float32Array([0,1]),2930:!0,3024:!0,35725:null,36006:null,36007:null,34229:null,34964:null,2886:2305,33170:4352,2849:1,32823:!1,32824:0,10752:0,32926:!1,32928:!1,32938:1,32939:!1,3089:!1,3088:new Int32Array([0,0,1024,1024]),2960:!1,2961:0,2968:4294967295,36005:4294967295,2962:519,2967:0,2963:4294967295,34816:519,36003:0,36004:4294967295,2964:7680,2965:7680,2966:7680,34817:7680,34818:7680,34819:7680,2978:[0,0,1024,1024],36389:null,36662:null,36663:null,35053:null,35055:null,35723:4352,36010:null,35977:!1,3333:4,3317:4,37440:!1,37441:!1,37443:37444,3330:0,3332:0,3331:0,3314:0,32878:0,3316:0,3315:0,32877:0},fy=(e,t,n)=>t?e.enable(n):e.disable(n),py=(e,t,n)=>e.hint(n,t),my=(e,t,n)=>e.pixelStorei(n,t),hy=(e,t,n)=>{let r=n===36006?36009:36008;return e.bindFramebuffer(r,t)},gy=(e,t,n)=>{let r={34964:34962,36662:36662,36663:36663,35053:35051,35055:35052}[n];e.bindBuffer(r,t)};function _y(e){return Array.isArray(e)||ArrayBuffer.isView(e)&&!(e instanceof DataView)}var vy={3042:fy,32773:(e,t)=>e.blendColor(...t),32777:`blendEquation`,34877:`blendEquation`,32969:`blendFunc`,32968:`blendFunc`,32971:`blendFunc`,32970:`blendFunc`,3106:(e,t)=>e.clearColor(...t),3107:(e,t)=>e.colorMask(...t),2884:fy,2885:(e,t)=>e.cullFace(t),2929:fy,2931:(e,t)=>e.clearDepth(t),2932:(e,t)=>e.depthFunc(t),2928:(e,t)=>e.depthRange(...t),2930:(e,t)=>e.depthMask(t),3024:fy,35723:py,35725:(e,t)=>e.useProgram(t),36007:(e,t)=>e.bindRenderbuffer(36161,t),36389:(e,t)=>e.bindTransformFeedback?.(36386,t),34229:(e,t)=>e.bindVertexArray(t),36006:hy,36010:hy,34964:gy,36662:gy,36663:gy,35053:gy,35055:gy,2886:(e,t)=>e.frontFace(t),33170:py,2849:(e,t)=>e.lineWidth(t),32823:fy,32824:`polygonOffset`,10752:`polygonOffset`,35977:fy,32926:fy,32928:fy,32938:`sampleCoverage`,32939:`sampleCoverage`,3089:fy,3088:(e,t)=>e.scissor(...t),2960:fy,2961:(e,t)=>e.clearStencil(t),2968:(e,t)=>e.stencilMaskSeparate(1028,t),36005:(e,t)=>e.stencilMaskSeparate(1029,t),2962:`stencilFuncFront`,2967:`stencilFuncFront`,2963:`stencilFuncFront`,34816:`stencilFuncBack`,36003:`stencilFuncBack`,36004:`stencilFuncBack`,2964:`stencilOpFront`,2965:`stencilOpFront`,2966:`stencilOpFront`,34817:`stencilOpBack`,34818:`stencilOpBack`,34819:`stencilOpBack`,2978:(e,t)=>e.viewport(...t),34383:fy,10754:fy,12288:fy,12289:fy,12290:fy,12291:fy,12292:fy,12293:fy,12294:fy,12295:fy,3333:my,3317:my,37440:my,37441:my,37443:my,3330:my,3332:my,3331:my,3314:my,32878:my,3316:my,3315:my,32877:my,framebuffer:(e,t)=>{let n=t&&`handle`in t?t.handle:t;return e.bindFramebuffer(36160,n)},blend:(e,t)=>t?e.enable(3042):e.disable(3042),blendColor:(e,t)=>e.blendColor(...t),blendEquation:(e,t)=>{let n=typeof t==`number`?[t,t]:t;e.blendEquationSeparate(...n)},blendFunc:(e,t)=>{let n=t?.length===2?[...t,...t]:t;e.blendFuncSeparate(...n)},clearColor:(e,t)=>e.clearColor(...t),clearDepth:(e,t)=>e.clearDepth(t),clearStencil:(e,t)=>e.clearStencil(t),colorMask:(e,t)=>e.colorMask(...t),cull:(e,t)=>t?e.enable(2884):e.disable(2884),cullFace:(e,t)=>e.cullFace(t),depthTest:(e,t)=>t?e.enable(2929):e.disable(2929),depthFunc:(e,t)=>e.depthFunc(t),depthMask:(e,t)=>e.depthMask(t),depthRange:(e,t)=>e.depthRange(...t),dither:(e,t)=>t?e.enable(3024):e.disable(3024),derivativeHint:(e,t)=>{e.hint(35723,t)},frontFace:(e,t)=>e.frontFace(t),mipmapHint:(e,t)=>e.hint(33170,t),lineWidth:(e,t)=>e.lineWidth(t),polygonOffsetFill:(e,t)=>t?e.enable(32823):e.disable(32823),polygonOffset:(e,t)=>e.polygonOffset(...t),sampleCoverage:(e,t)=>e.sampleCoverage(t[0],t[1]||!1),scissorTest:(e,t)=>t?e.enable(3089):e.disable(3089),scissor:(e,t)=>e.scissor(...t),stencilTest:(e,t)=>t?e.enable(2960):e.disable(2960),stencilMask:(e,t)=>{t=_y(t)?t:[t,t];let[n,r]=t;e.stencilMaskSeparate(1028,n),e.stencilMaskSeparate(1029,r)},stencilFunc:(e,t)=>{t=_y(t)&&t.length===3?[...t,...t]:t;let[n,r,i,a,o,s]=t;e.stencilFuncSeparate(1028,n,r,i),e.stencilFuncSeparate(1029,a,o,s)},stencilOp:(e,t)=>{t=_y(t)&&t.length===3?[...t,...t]:t;let[n,r,i,a,o,s]=t;e.stencilOpSeparate(1028,n,r,i),e.stencilOpSeparate(1029,a,o,s)},viewport:(e,t)=>e.viewport(...t)};function yy(e,t,n){return t[e]===void 0?n[e]:t[e]}var by={blendEquation:(e,t,n)=>e.blendEquationSeparate(yy(32777,t,n),yy(34877,t,n)),blendFunc:(e,t,n)=>e.blendFuncSeparate(yy(32969,t,n),yy(32968,t,n),yy(32971,t,n),yy(32970,t,n)),polygonOffset:(e,t,n)=>e.polygonOffset(yy(32824,t,n),yy(10752,t,n)),sampleCoverage:(e,t,n)=>e.sampleCoverage(yy(32938,t,n),yy(32939,t,n)),stencilFuncFront:(e,t,n)=>e.stencilFuncSeparate(1028,yy(2962,t,n),yy(2967,t,n),yy(2963,t,n)),stencilFuncBack:(e,t,n)=>e.stencilFuncSeparate(1029,yy(34816,t,n),yy(36003,t,n),yy(36004,t,n)),stencilOpFront:(e,t,n)=>e.stencilOpSeparate(1028,yy(2964,t,n),yy(2965,t,n),yy(2966,t,n)),stencilOpBack:(e,t,n)=>e.stencilOpSeparate(1029,yy(34817,t,n),yy(34818,t,n),yy(34819,t,n))},xy={enable:(e,t)=>e({[t]:!0}),disable:(e,t)=>e({[t]:!1}),pixelStorei:(e,t,n)=>e({[t]:n}),hint:(e,t,n)=>e({[t]:n}),useProgram:(e,t)=>e({35725:t}),bindRenderbuffer:(e,t,n)=>e({36007:n}),bindTransformFeedback:(e,t,n)=>e({36389:n}),bindVertexArray:(e,t)=>e({34229:t}),bindFramebuffer:(e,t,n)=>{switch(t){case 36160:return e({36006:n,36010:n});case 36009:return e({36006:n});case 36008:return e({36010:n});default:return null}},bindBuffer:(e,t,n)=>{let r={34962:[34964],36662:[36662],36663:[36663],35051:[35053],35052:[35055]}[t];return r?e({[r]:n}):{valueChanged:!0}},blendColor:(e,t,n,r,i)=>e({32773:new Float32Array([t,n,r,i])}),blendEquation:(e,t)=>e({32777:t,34877:t}),blendEquationSeparate:(e,t,n)=>e({32777:t,34877:n}),blendFunc:(e,t,n)=>e({32969:t,32968:n,32971:t,32970:n}),blendFuncSeparate:(e,t,n,r,i)=>e({32969:t,32968:n,32971:r,32970:i}),clearColor:(e,t,n,r,i)=>e({3106:new Float32Array([t,n,r,i])}),clearDepth:(e,t)=>e({2931:t}),clearStencil:(e,t)=>e({2961:t}),colorMask:(e,t,n,r,i)=>e({3107:[t,n,r,i]}),cullFace:(e,t)=>e({2885:t}),depthFunc:(e,t)=>e({2932:t}),depthRange:(e,t,n)=>e({2928:new Float32Array([t,n])}),depthMask:(e,t)=>e({2930:t}),frontFace:(e,t)=>e({2886:t}),lineWidth:(e,t)=>e({2849:t}),polygonOffset:(e,t,n)=>e({32824:t,10752:n}),sampleCoverage:(e,t,n)=>e({32938:t,32939:n}),scissor:(e,t,n,r,i)=>e({3088:new Int32Array([t,n,r,i])}),stencilMask:(e,t)=>e({2968:t,36005:t}),stencilMaskSeparate:(e,t,n)=>e({[t===1028?2968:36005]:n}),stencilFunc:(e,t,n,r)=>e({2962:t,2967:n,2963:r,34816:t,36003:n,36004:r}),stencilFuncSeparate:(e,t,n,r,i)=>e({[t===1028?2962:34816]:n,[t===1028?2967:36003]:r,[t===1028?2963:36004]:i}),stencilOp:(e,t,n,r)=>e({2964:t,2965:n,2966:r,34817:t,34818:n,34819:r}),stencilOpSeparate:(e,t,n,r,i)=>e({[t===1028?2964:34817]:n,[t===1028?2965:34818]:r,[t===1028?2966:34819]:i}),viewport:(e,t,n,r,i)=>e({2978:[t,n,r,i]})},Sy=(e,t)=>e.isEnabled(t),Cy={3042:Sy,2884:Sy,2929:Sy,3024:Sy,32823:Sy,32926:Sy,32928:Sy,3089:Sy,2960:Sy,35977:Sy},wy=new Set([34016,36388,36387,35983,35368,34965,35739,35738,3074,34853,34854,34855,34856,34857,34858,34859,34860,34861,34862,34863,34864,34865,34866,34867,34868,35097,32873,35869,32874,34068]);function Ty(e,t){if(Oy(t))return;let n={};for(let r in t){let i=Number(r),a=vy[r];a&&(typeof a==`string`?n[a]=!0:a(e,t[r],i))}let r=e.lumaState?.cache;if(r)for(let i in n){let n=by[i];n(e,t,r)}}function Ey(e,t=dy){if(typeof t==`number`){let n=t,r=Cy[n];return r?r(e,n):e.getParameter(n)}let n=Array.isArray(t)?t:Object.keys(t),r={};for(let t of n){let n=Cy[t];r[t]=n?n(e,Number(t)):e.getParameter(Number(t))}return r}function Dy(e){Ty(e,dy)}function Oy(e){for(let t in e)return!1;return!0}function ky(e,t){if(e===t)return!0;if(Ay(e)&&Ay(t)&&e.length===t.length){for(let n=0;n<e.length;++n)if(e[n]!==t[n])return!1;return!0}return!1}function Ay(e){return Array.isArray(e)||ArrayBuffer.isView(e)}var jy=class{static get(e){return e.lumaState}gl;program=null;stateStack=[];enable=!0;cache=null;log;initialized=!1;constructor(e,t){this.gl=e,this.log=t?.log||(()=>{}),this._updateCache=this._updateCache.bind(this),Object.seal(this)}push(e={}){this.stateStack.push({})}pop(){let e=this.stateStack[this.stateStack.length-1];Ty(this.gl,e),this.stateStack.pop()}trackState(e,t){if(this.cache=t?.copyState?Ey(e):Object.assign({},dy),this.initialized)throw Error(`WebGLStateTracker`);this.initialized=!0,this.gl.lumaState=this,Py(e);for(let t in xy){let n=xy[t];Ny(e,t,n)}My(e,`getParameter`),My(e,`isEnabled`)}_updateCache(e){let t=!1,n,r=this.stateStack.length>0?this.stateStack[this.stateStack.length-1]:null;for(let i in e){let a=e[i],o=this.cache[i];ky(a,o)||(t=!0,n=o,r&&!(i in r)&&(r[i]=o),this.cache[i]=a)}return{valueChanged:t,oldValue:n}}};function My(e,t){let n=e[t].bind(e);e[t]=function(t){if(t===void 0||wy.has(t))return n(t);let r=jy.get(e);return t in r.cache||(r.cache[t]=n(t)),r.enable?r.cache[t]:n(t)},Object.defineProperty(e[t],"name",{value:`${t}-from-cache`,configurable:!1})}function Ny(e,t,n){if(!e[t])return;let r=e[t].bind(e);e[t]=function(...t){let{valueChanged:i,oldValue:a}=n(jy.get(e)._updateCache,...t);return i&&r(...t),a},Object.defineProperty(e[t],"name",{value:`${t}-to-cache`,configurable:!1})}function Py(e){let t=e.useProgram.bind(e);e.useProgram=function(n){let r=jy.get(e);r.program!==n&&(t(n),r.program=n)}}function Fy(e){let t=e.luma||{_polyfilled:!1,extensions:{},softwareRenderer:!1};return t._polyfilled??=!1,t.extensions||={},e.luma=t,t}function Iy(e,t,n){let r=``,i=e=>{let t=e.statusMessage;t&&(r||=t)};e.addEventListener(`webglcontextcreationerror`,i,!1);let a=n.failIfMajorPerformanceCaveat!==!0,o={preserveDrawingBuffer:!0,...n,failIfMajorPerformanceCaveat:!0},s=null;try{s||=e.getContext(`webgl2`,o),!s&&o.failIfMajorPerformanceCaveat&&(r||="Only software GPU is available. Set `failIfMajorPerformanceCaveat: false` to allow.");let n=!1;if(!s&&a&&(o.failIfMajorPerformanceCaveat=!1,s=e.getContext(`webgl2`,o),n=!0),s||(s=e.getContext(`webgl`,{}),s&&(s=null,r||=`Your browser only supports WebGL1`)),!s)throw r||=`Your browser does not support WebGL`,Error(`Failed to create WebGL context: ${r}`);let i=Fy(s);i.softwareRenderer=n;let{onContextLost:c,onContextRestored:l}=t;return e.addEventListener(`webglcontextlost`,e=>c(e),!1),e.addEventListener(`webglcontextrestored`,e=>l(e),!1),s}finally{e.removeEventListener(`webglcontextcreationerror`,i,!1)}}function Ly(e,t,n){return n[t]===void 0&&(n[t]=e.getExtension(t)||null),n[t]}function Ry(e,t){let n=e.getParameter(7936),r=e.getParameter(7937);Ly(e,`WEBGL_debug_renderer_info`,t);let i=t.WEBGL_debug_renderer_info,a=e.getParameter(i?i.UNMASKED_VENDOR_WEBGL:7936),o=e.getParameter(i?i.UNMASKED_RENDERER_WEBGL:7937),s=a||n,c=o||r,l=e.getParameter(7938),u=zy(s,c),d=By(s,c);return{type:`webgl`,gpu:u,gpuType:Vy(s,c),gpuBackend:d,vendor:s,renderer:c,version:l,shadingLanguage:`glsl`,shadingLanguageVersion:300}}function zy(e,t){return/NVIDIA/i.exec(e)||/NVIDIA/i.exec(t)?`nvidia`:/INTEL/i.exec(e)||/INTEL/i.exec(t)?`intel`:/Apple/i.exec(e)||/Apple/i.exec(t)?`apple`:/AMD/i.exec(e)||/AMD/i.exec(t)||/ATI/i.exec(e)||/ATI/i.exec(t)?`amd`:/SwiftShader/i.exec(e)||/SwiftShader/i.exec(t)?`software`:`unknown`}function By(e,t){return/Metal/i.exec(e)||/Metal/i.exec(t)?`metal`:/ANGLE/i.exec(e)||/ANGLE/i.exec(t)?`opengl`:`unknown`}function Vy(e,t){if(/SwiftShader/i.exec(e)||/SwiftShader/i.exec(t))return`cpu`;switch(zy(e,t)){case`apple`:return Hy(e,t)?`integrated`:`unknown`;case`intel`:return`integrated`;case`software`:return`cpu`;case`unknown`:return`unknown`;default:return`discrete`}}function Hy(e,t){return/Apple (M\d|A\d|GPU)/i.test(`${e} ${t}`)}function Uy(e){switch(e){case`uint8`:return 5121;case`sint8`:return 5120;case`unorm8`:return 5121;case`snorm8`:return 5120;case`uint16`:return 5123;case`sint16`:return 5122;case`unorm16`:return 5123;case`snorm16`:return 5122;case`uint32`:return 5125;case`sint32`:return 5124;case`float16`:return 5131;case`float32`:return 5126}throw Error(String(e))}var Wy=`WEBGL_compressed_texture_s3tc`,Gy=`WEBGL_compressed_texture_s3tc_srgb`,Ky=`EXT_texture_compression_rgtc`,qy=`EXT_texture_compression_bptc`,Jy=`WEBGL_compressed_texture_etc`,Yy=`WEBGL_compressed_texture_astc`,Xy=`WEBGL_compressed_texture_etc1`,Zy=`WEBGL_compressed_texture_pvrtc`,Qy=`WEBGL_compressed_texture_atc`,$y=`EXT_texture_norm16`,eb=`EXT_render_snorm`,tb=`EXT_color_buffer_float`,nb=`snorm8-renderable-webgl`,rb=`norm16-renderable-webgl`,ib=`snorm16-renderable-webgl`,ab=`float16-renderable-webgl`,ob=`float32-renderable-webgl`,sb=`rgb9e5ufloat-renderable-webgl`,cb={"float32-renderable-webgl":{extensions:[tb]},"float16-renderable-webgl":{extensions:[`EXT_color_buffer_half_float`]},"rgb9e5ufloat-renderable-webgl":{extensions:[`WEBGL_render_shared_exponent`]},"snorm8-renderable-webgl":{extensions:[eb]},"norm16-webgl":{extensions:[$y]},"norm16-renderable-webgl":{features:[`norm16-webgl`]},"snorm16-renderable-webgl":{features:[`norm16-webgl`],extensions:[eb]},"float32-filterable":{extensions:[`OES_texture_float_linear`]},"float16-filterable-webgl":{extensions:[`OES_texture_half_float_linear`]},"texture-filterable-anisotropic-webgl":{extensions:[`EXT_texture_filter_anisotropic`]},"texture-blend-float-webgl":{extensions:[`EXT_float_blend`]},"texture-compression-bc":{extensions:[Wy,Gy,Ky,qy]},"texture-compression-bc5-webgl":{extensions:[Ky]},"texture-compression-bc7-webgl":{extensions:[qy]},"texture-compression-etc2":{extensions:[Jy]},"texture-compression-astc":{extensions:[Yy]},"texture-compression-etc1-webgl":{extensions:[Xy]},"texture-compression-pvrtc-webgl":{extensions:[Zy]},"texture-compression-atc-webgl":{extensions:[Qy]}};function lb(e){return e in cb}function ub(e,t,n){return db(e,t,n,new Set)}function db(e,t,n,r){let i=cb[t];if(!i||r.has(t))return!1;r.add(t);let a=(i.features||[]).every(t=>db(e,t,n,r));return r.delete(t),a?(i.extensions||[]).every(t=>!!Ly(e,t,n)):!1}var fb={r8unorm:{gl:33321,rb:!0},r8snorm:{gl:36756,r:nb},r8uint:{gl:33330,rb:!0},r8sint:{gl:33329,rb:!0},rg8unorm:{gl:33323,rb:!0},rg8snorm:{gl:36757,r:nb},rg8uint:{gl:33336,rb:!0},rg8sint:{gl:33335,rb:!0},r16uint:{gl:33332,rb:!0},r16sint:{gl:33331,rb:!0},r16float:{gl:33325,rb:!0,r:ab},r16unorm:{gl:33322,rb:!0,r:rb},r16snorm:{gl:36760,r:ib},"rgba4unorm-webgl":{gl:32854,rb:!0},"rgb565unorm-webgl":{gl:36194,rb:!0},"rgb5a1unorm-webgl":{gl:32855,rb:!0},"rgb8unorm-webgl":{gl:32849},"rgb8snorm-webgl":{gl:36758},rgba8unorm:{gl:32856},"rgba8unorm-srgb":{gl:35907},rgba8snorm:{gl:36759,r:nb},rgba8uint:{gl:36220},rgba8sint:{gl:36238},bgra8unorm:{},"bgra8unorm-srgb":{},rg16uint:{gl:33338},rg16sint:{gl:33337},rg16float:{gl:33327,rb:!0,r:ab},rg16unorm:{gl:33324,r:rb},rg16snorm:{gl:36761,r:ib},r32uint:{gl:33334,rb:!0},r32sint:{gl:33333,rb:!0},r32float:{gl:33326,r:ob},rgb9e5ufloat:{gl:35901,r:sb},rg11b10ufloat:{gl:35898,rb:!0},rgb10a2unorm:{gl:32857,rb:!0},rgb10a2uint:{gl:36975,rb:!0},"rgb16unorm-webgl":{gl:32852,r:!1},"rgb16snorm-webgl":{gl:36762,r:!1},rg32uint:{gl:33340,rb:!0},rg32sint:{gl:33339,rb:!0},rg32float:{gl:33328,rb:!0,r:ob},rgba16uint:{gl:36214,rb:!0},rgba16sint:{gl:36232,rb:!0},rgba16float:{gl:34842,r:ab},rgba16unorm:{gl:32859,rb:!0,r:rb},rgba16snorm:{gl:36763,r:ib},"rgb32float-webgl":{gl:34837,x:tb,r:ob,dataFormat:6407,types:[5126]},rgba32uint:{gl:36208,rb:!0},rgba32sint:{gl:36226,rb:!0},rgba32float:{gl:34836,rb:!0,r:ob},stencil8:{gl:36168,rb:!0},depth16unorm:{gl:33189,dataFormat:6402,types:[5123],rb:!0},depth24plus:{gl:33190,dataFormat:6402,types:[5125]},depth32float:{gl:36012,dataFormat:6402,types:[5126],rb:!0},"depth24plus-stencil8":{gl:35056,rb:!0,depthTexture:!0,dataFormat:34041,types:[34042]},"depth32float-stencil8":{gl:36013,dataFormat:34041,types:[36269],rb:!0},"bc1-rgb-unorm-webgl":{gl:33776,x:Wy},"bc1-rgb-unorm-srgb-webgl":{gl:35916,x:Gy},"bc1-rgba-unorm":{gl:33777,x:Wy},"bc1-rgba-unorm-srgb":{gl:35916,x:Gy},"bc2-rgba-unorm":{gl:33778,x:Wy},"bc2-rgba-unorm-srgb":{gl:35918,x:Gy},"bc3-rgba-unorm":{gl:33779,x:Wy},"bc3-rgba-unorm-srgb":{gl:35919,x:Gy},"bc4-r-unorm":{gl:36283,x:Ky},"bc4-r-snorm":{gl:36284,x:Ky},"bc5-rg-unorm":{gl:36285,x:Ky},"bc5-rg-snorm":{gl:36286,x:Ky},"bc6h-rgb-ufloat":{gl:36495,x:qy},"bc6h-rgb-float":{gl:36494,x:qy},"bc7-rgba-unorm":{gl:36492,x:qy},"bc7-rgba-unorm-srgb":{gl:36493,x:qy},"etc2-rgb8unorm":{gl:37492},"etc2-rgb8unorm-srgb":{gl:37494},"etc2-rgb8a1unorm":{gl:37496},"etc2-rgb8a1unorm-srgb":{gl:37497},"etc2-rgba8unorm":{gl:37493},"etc2-rgba8unorm-srgb":{gl:37495},"eac-r11unorm":{gl:37488},"eac-r11snorm":{gl:37489},"eac-rg11unorm":{gl:37490},"eac-rg11snorm":{gl:37491},"astc-4x4-unorm":{gl:37808},"astc-4x4-unorm-srgb":{gl:37840},"astc-5x4-unorm":{gl:37809},"astc-5x4-unorm-srgb":{gl:37841},"astc-5x5-unorm":{gl:37810},"astc-5x5-unorm-srgb":{gl:37842},"astc-6x5-unorm":{gl:37811},"astc-6x5-unorm-srgb":{gl:37843},"astc-6x6-unorm":{gl:37812},"astc-6x6-unorm-srgb":{gl:37844},"astc-8x5-unorm":{gl:37813},"astc-8x5-unorm-srgb":{gl:37845},"astc-8x6-unorm":{gl:37814},"astc-8x6-unorm-srgb":{gl:37846},"astc-8x8-unorm":{gl:37815},"astc-8x8-unorm-srgb":{gl:37847},"astc-10x5-unorm":{gl:37816},"astc-10x5-unorm-srgb":{gl:37848},"astc-10x6-unorm":{gl:37817},"astc-10x6-unorm-srgb":{gl:37849},"astc-10x8-unorm":{gl:37818},"astc-10x8-unorm-srgb":{gl:37850},"astc-10x10-unorm":{gl:37819},"astc-10x10-unorm-srgb":{gl:37851},"astc-12x10-unorm":{gl:37820},"astc-12x10-unorm-srgb":{gl:37852},"astc-12x12-unorm":{gl:37821},"astc-12x12-unorm-srgb":{gl:37853},"pvrtc-rgb4unorm-webgl":{gl:35840},"pvrtc-rgba4unorm-webgl":{gl:35842},"pvrtc-rgb2unorm-webgl":{gl:35841},"pvrtc-rgba2unorm-webgl":{gl:35843},"etc1-rbg-unorm-webgl":{gl:36196},"atc-rgb-unorm-webgl":{gl:35986},"atc-rgba-unorm-webgl":{gl:35986},"atc-rgbai-unorm-webgl":{gl:34798}};function pb(e,t,n){let r=t.create,i=fb[t.format];i?.gl===void 0&&(r=!1),i?.x&&(r&&=!!Ly(e,i.x,n)),t.format===`stencil8`&&(r=!1);let a=i?.r===!1?!1:i?.r===void 0||ub(e,i.r,n),o=r&&t.render&&a&&mb(e,t.format,n);return{format:t.format,create:r&&t.create,render:o,filter:r&&t.filter,blend:r&&t.blend,store:r&&t.store}}function mb(e,t,n){let r=fb[t],i=r?.gl;if(i===void 0||r?.x&&!Ly(e,r.x,n))return!1;let a=e.getParameter(32873),o=e.getParameter(36006),s=e.createTexture(),c=e.createFramebuffer();if(!s||!c)return!1;let l=Number(e.getError());for(;l!==0;)l=e.getError();let u=!1;try{if(e.bindTexture(3553,s),e.texStorage2D(3553,1,i,1,1),Number(e.getError())!==0)return!1;e.bindFramebuffer(36160,c),e.framebufferTexture2D(36160,36064,3553,s,0),u=Number(e.checkFramebufferStatus(36160))===36053&&Number(e.getError())===0}finally{e.bindFramebuffer(36160,o),e.deleteFramebuffer(c),e.bindTexture(3553,a),e.deleteTexture(s)}return u}function hb(e){let t=fb[e],n=vb(e),r=de.getInfo(e);return r.compressed&&(t.dataFormat=n),{internalFormat:n,format:t?.dataFormat||_b(r.channels,r.integer,r.normalized,n),type:r.dataType?Uy(r.dataType):t?.types?.[0]||5121,compressed:r.compressed||!1}}function gb(e){switch(de.getInfo(e).attachment){case`depth`:return 36096;case`stencil`:return 36128;case`depth-stencil`:return 33306;default:throw Error(`Not a depth stencil format: ${e}`)}}function _b(e,t,n,r){if(r===6408||r===6407)return r;switch(e){case`r`:return t&&!n?36244:6403;case`rg`:return t&&!n?33320:33319;case`rgb`:return t&&!n?36248:6407;case`rgba`:return t&&!n?36249:6408;case`bgra`:throw Error(`bgra pixels not supported by WebGL`);default:return 6408}}function vb(e){let t=fb[e]?.gl;if(t===void 0)throw Error(`Unsupported texture format ${e}`);return t}var yb={"depth-clip-control":`EXT_depth_clamp`,"timestamp-query":`EXT_disjoint_timer_query_webgl2`,"compilation-status-async-webgl":`KHR_parallel_shader_compile`,"html-in-canvas":e=>pl()&&typeof e.texElementImage2D==`function`,"polygon-mode-webgl":`WEBGL_polygon_mode`,"provoking-vertex-webgl":`WEBGL_provoking_vertex`,"shader-clip-cull-distance-webgl":`WEBGL_clip_cull_distance`,"shader-noperspective-interpolation-webgl":`NV_shader_noperspective_interpolation`,"shader-conservative-depth-webgl":`EXT_conservative_depth`},bb=class extends fl{gl;extensions;testedFeatures=new Set;constructor(e,t,n){super([],n),this.gl=e,this.extensions=t,Ly(e,`EXT_color_buffer_float`,t)}*[Symbol.iterator](){let e=this.getFeatures();for(let t of e)this.has(t)&&(yield t);return[]}has(e){return!this.disabledFeatures?.[e]&&(this.testedFeatures.has(e)||(this.testedFeatures.add(e),lb(e)&&ub(this.gl,e,this.extensions)&&this.features.add(e),this.getWebGLFeature(e)&&this.features.add(e)),this.features.has(e))}initializeFeatures(){let e=this.getFeatures().filter(e=>e!==`polygon-mode-webgl`);for(let t of e)this.has(t)}getFeatures(){return[...Object.keys(yb),...Object.keys(cb)]}getWebGLFeature(e){let t=yb[e];return typeof t==`string`?!!Ly(this.gl,t,this.extensions):typeof t==`function`?t(this.gl):!!t}},xb=class extends ol{get maxTextureDimension1D(){return 0}get maxTextureDimension2D(){return this.getParameter(3379)}get maxTextureDimension3D(){return this.getParameter(32883)}get maxTextureArrayLayers(){return this.getParameter(35071)}get maxBindGroups(){return 0}get maxBindGroupsPlusVertexBuffers(){return 0}get maxBindingsPerBindGroup(){return 0}get maxDynamicUniformBuffersPerPipelineLayout(){return 0}get maxDynamicStorageBuffersPerPipelineLayout(){return 0}get maxSampledTexturesPerShaderStage(){return this.getParameter(35660)}get maxSamplersPerShaderStage(){return this.getParameter(35661)}get maxStorageBuffersPerShaderStage(){return 0}get maxStorageBuffersInVertexStage(){return 0}get maxStorageBuffersInFragmentStage(){return 0}get maxStorageTexturesPerShaderStage(){return 0}get maxStorageTexturesInVertexStage(){return 0}get maxStorageTexturesInFragmentStage(){return 0}get maxUniformBuffersPerShaderStage(){return this.getParameter(35375)}get maxUniformBufferBindingSize(){return this.getParameter(35376)}get maxStorageBufferBindingSize(){return 0}get maxBufferSize(){return 2**53-1}get minUniformBufferOffsetAlignment(){return this.getParameter(35380)}get minStorageBufferOffsetAlignment(){return 0}get maxVertexBuffers(){return 16}get maxVertexAttributes(){return this.getParameter(34921)}get maxVertexBufferArrayStride(){return 2048}get maxInterStageShaderVariables(){return this.getParameter(35659)}get maxColorAttachments(){return this.getParameter(36063)}get maxColorAttachmentBytesPerSample(){return 0}get maxComputeWorkgroupStorageSize(){return 0}get maxComputeInvocationsPerWorkgroup(){return 0}get maxComputeWorkgroupSizeX(){return 0}get maxComputeWorkgroupSizeY(){return 0}get maxComputeWorkgroupSizeZ(){return 0}get maxComputeWorkgroupsPerDimension(){return 0}gl;limits={};constructor(e){super(),this.gl=e}getParameter(e){return this.limits[e]===void 0&&(this.limits[e]=this.gl.getParameter(e)),this.limits[e]||0}},Sb=class extends Dl{device;gl;handle;colorAttachments=[];depthStencilAttachment=null;constructor(e,t){super(e,t);let n=t.handle,r=n===null;this.device=e,this.gl=e.gl,this.handle=n||r?n:this.gl.createFramebuffer(),r||(e._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),t.handle||(this.autoCreateAttachmentTextures(),this.updateAttachments()))}destroy(){super.destroy(),!this.destroyed&&this.handle!==null&&!this.props.handle&&this.gl.deleteFramebuffer(this.handle)}updateAttachments(){let e=this.gl.bindFramebuffer(36160,this.handle);for(let e=0;e<this.colorAttachments.length;++e){let t=this.colorAttachments[e];if(t){let n=36064+e;this._attachTextureView(n,t)}}if(this.depthStencilAttachment){let e=gb(this.depthStencilAttachment.props.format);this._attachTextureView(e,this.depthStencilAttachment)}if(this.device.props.debug){let e=this.gl.checkFramebufferStatus(36160);if(e!==36053)throw Error(`Framebuffer ${wb(e)}`)}this.gl.bindFramebuffer(36160,e)}_attachTextureView(e,t){let{gl:n}=this.device,{texture:r}=t,i=t.props.baseMipLevel,a=t.props.baseArrayLayer;switch(n.bindTexture(r.glTarget,r.handle),r.glTarget){case 35866:case 32879:n.framebufferTextureLayer(36160,e,r.handle,i,a);break;case 34067:let t=Cb(a);n.framebufferTexture2D(36160,e,t,r.handle,i);break;case 3553:n.framebufferTexture2D(36160,e,3553,r.handle,i);break;default:throw Error(`Illegal texture type`)}n.bindTexture(r.glTarget,null)}resizeAttachments(e,t){this.handle===null?(this.width=e,this.height=t):super.resizeAttachments(e,t)}};function Cb(e){return e<34069?e+34069:e}function wb(e){switch(e){case 36053:return`success`;case 36054:return`Mismatched attachments`;case 36055:return`No attachments`;case 36057:return`Height/width mismatch`;case 36061:return`Unsupported or split attachments`;case 36182:return`Samples mismatch`;default:return`${e}`}}var Tb=class extends wl{device;handle=null;_framebuffer=null;get[Symbol.toStringTag](){return`WebGLCanvasContext`}constructor(e,t){super(t),this.device=e,this._setAutoCreatedCanvasId(`${this.device.id}-canvas`),this._configureDevice()}_configureDevice(){(this.drawingBufferWidth!==this._framebuffer?.width||this.drawingBufferHeight!==this._framebuffer?.height)&&this._framebuffer?.resize([this.drawingBufferWidth,this.drawingBufferHeight])}_getCurrentFramebuffer(){return this._framebuffer||=new Sb(this.device,{id:`canvas-context-framebuffer`,handle:null,width:this.drawingBufferWidth,height:this.drawingBufferHeight}),this._framebuffer}},Eb=class extends Tl{device;handle=null;context2d;get[Symbol.toStringTag](){return`WebGLPresentationContext`}constructor(e,t={}){super(t),this.device=e;let n=`${this[Symbol.toStringTag]}(${this.id})`;if(!this.device.getDefaultCanvasContext().offscreenCanvas)throw Error(`${n}: WebGL PresentationContext requires the default CanvasContext canvas to be an OffscreenCanvas`);let r=this.canvas.getContext(`2d`);if(!r)throw Error(`${n}: Failed to create 2d presentation context`);this.context2d=r,this._setAutoCreatedCanvasId(`${this.device.id}-presentation-canvas`),this._configureDevice(),this._startObservers()}present(){this._resizeDrawingBufferIfNeeded(),this.device.submit();let e=this.device.getDefaultCanvasContext(),[t,n]=e.getDrawingBufferSize();if(this.drawingBufferWidth!==0&&this.drawingBufferHeight!==0&&t!==0&&n!==0&&e.canvas.width!==0&&e.canvas.height!==0){if(t!==this.drawingBufferWidth||n!==this.drawingBufferHeight||e.canvas.width!==this.drawingBufferWidth||e.canvas.height!==this.drawingBufferHeight)throw Error(`${this[Symbol.toStringTag]}(${this.id}): Default canvas context size ${t}x${n} does not match presentation size ${this.drawingBufferWidth}x${this.drawingBufferHeight}`);this.context2d.clearRect(0,0,this.drawingBufferWidth,this.drawingBufferHeight),this.context2d.drawImage(e.canvas,0,0)}}_configureDevice(){}_getCurrentFramebuffer(e){let t=this.device.getDefaultCanvasContext();return t.setDrawingBufferSize(this.drawingBufferWidth,this.drawingBufferHeight),t.getCurrentFramebuffer(e)}},Db={};function Ob(e=`id`){return Db[e]=Db[e]||1,`${e}-${Db[e]++}`}var kb=class extends n{device;gl;handle;glTarget;glUsage;glIndexType=5123;byteLength=0;bytesUsed=0;constructor(e,t={}){super(e,t),this.device=e,this.gl=this.device.gl;let n=typeof t==`object`?t.handle:void 0;this.handle=n||this.gl.createBuffer(),e._setWebGLDebugMetadata(this.handle,this,{spector:{...this.props,data:typeof this.props.data}}),this.glTarget=Ab(this.props.usage),this.glUsage=jb(this.props.usage),this.glIndexType=this.props.indexType===`uint32`?5125:5123,t.data?this._initWithData(t.data,t.byteOffset,t.byteLength):this._initWithByteLength(t.byteLength||0)}destroy(){!this.destroyed&&this.handle&&(this.removeStats(),this.props.handle?this.trackDeallocatedReferencedMemory(`Buffer`):(this.trackDeallocatedMemory(),this.gl.deleteBuffer(this.handle)),this.destroyed=!0,this.handle=null)}_initWithData(e,t=0,n=e.byteLength+t){let r=this.glTarget;this.gl.bindBuffer(r,this.handle),this.gl.bufferData(r,n,this.glUsage),this.gl.bufferSubData(r,t,e),this.gl.bindBuffer(r,null),this.bytesUsed=n,this.byteLength=n,this._setDebugData(e,t,n),this.props.handle?this.trackReferencedMemory(n,`Buffer`):this.trackAllocatedMemory(n)}_initWithByteLength(e){let t=e;e===0&&(t=new Float32Array);let n=this.glTarget;return this.gl.bindBuffer(n,this.handle),this.gl.bufferData(n,t,this.glUsage),this.gl.bindBuffer(n,null),this.bytesUsed=e,this.byteLength=e,this._setDebugData(null,0,e),this.props.handle?this.trackReferencedMemory(e,`Buffer`):this.trackAllocatedMemory(e),this}write(e,t=0){let n=ArrayBuffer.isView(e)?e:new Uint8Array(e),r=36663;this.gl.bindBuffer(r,this.handle),this.gl.bufferSubData(r,t,n),this.gl.bindBuffer(r,null),this._setDebugData(e,t,e.byteLength)}async mapAndWriteAsync(e,t=0,n=this.byteLength-t){let r=new ArrayBuffer(n);await e(r,`copied`),this.write(r,t)}async readAsync(e=0,t){return this.readSyncWebGL(e,t)}async mapAndReadAsync(e,t=0,n){return await e((await this.readAsync(t,n)).buffer,`copied`)}readSyncWebGL(e=0,t){t??=this.byteLength-e;let n=new Uint8Array(t);return this.gl.bindBuffer(36662,this.handle),this.gl.getBufferSubData(36662,e,n,0,t),this.gl.bindBuffer(36662,null),this._setDebugData(n,e,t),n}};function Ab(e){return e&n.INDEX?34963:e&n.VERTEX?34962:e&n.UNIFORM?35345:34962}function jb(e){return e&n.INDEX||e&n.VERTEX?35044:e&n.UNIFORM?35048:35044}function Mb(e){let t=e.split(/\r?\n/),n=[];for(let e of t){if(e.length<=1)continue;let t=e.trim(),r=e.split(`:`),i=r[0]?.trim();if(r.length===2){let[e,a]=r;if(!e||!a){n.push({message:t,type:Nb(i||`info`),lineNum:0,linePos:0});continue}n.push({message:a.trim(),type:Nb(e),lineNum:0,linePos:0});continue}let[a,o,s,...c]=r;if(!a||!o||!s){n.push({message:r.slice(1).join(`:`).trim()||t,type:Nb(i||`info`),lineNum:0,linePos:0});continue}let l=parseInt(s,10);Number.isNaN(l)&&(l=0);let u=parseInt(o,10);Number.isNaN(u)&&(u=0),n.push({message:c.join(`:`).trim(),type:Nb(a),lineNum:l,linePos:u})}return n}function Nb(e){let t=[`warning`,`error`,`info`],n=e.toLowerCase();return t.includes(n)?n:`info`}var Pb=class extends l{device;handle;_compilationInfoLog=``;constructor(e,t){super(e,t),this.device=e;let n=this.props.handle;switch(this.props.stage){case`vertex`:this.handle=n||this.device.gl.createShader(35633);break;case`fragment`:this.handle=n||this.device.gl.createShader(35632);break;default:throw Error(this.props.stage)}e._setWebGLDebugMetadata(this.handle,this,{spector:this.props});let r=this._compile(this.source);r&&typeof r.catch==`function`&&r.catch(()=>{this.compilationStatus=`error`})}destroy(){this.handle&&(this.removeStats(),this.device.gl.deleteShader(this.handle),this.destroyed=!0,this.handle.destroyed=!0)}get asyncCompilationStatus(){return this._waitForCompilationComplete().then(()=>(this._getCompilationStatus(),this.compilationStatus))}async getCompilationInfo(){return await this._waitForCompilationComplete(),this.getCompilationInfoSync()}getCompilationInfoSync(){let e=this._getCompilationInfoLog();return e?Mb(e):[]}getTranslatedSource(){return this.device.getExtension(`WEBGL_debug_shaders`).WEBGL_debug_shaders?.getTranslatedShaderSource(this.handle)||null}_compile(e){e=e.startsWith(`#version `)?e:`#version 300 es\n${e}`;let{gl:t}=this.device;if(t.shaderSource(this.handle,e),t.compileShader(this.handle),!this.device.props.debug)this.compilationStatus=`pending`;else{if(this.device.features.has(`compilation-status-async-webgl`))return i.once(1,`Shader compilation is asynchronous`)(),this._waitForCompilationComplete().then(()=>{i.info(2,`Shader ${this.id} - async compilation complete: ${this.compilationStatus}`)(),this._getCompilationStatus(),this.debugShader()});if(this._getCompilationStatus(),this.debugShader(),this.compilationStatus===`error`)throw Error(this._getCompilationErrorMessage(e))}}async _waitForCompilationComplete(){let e=async e=>await new Promise(t=>setTimeout(t,e));if(!this.device.features.has(`compilation-status-async-webgl`)){await e(10);return}let{gl:t}=this.device;for(;;){if(t.getShaderParameter(this.handle,37297))return;await e(10)}}_getCompilationStatus(){this.compilationStatus=this.device.gl.getShaderParameter(this.handle,35713)?`success`:`error`,this.compilationStatus===`error`&&this._getCompilationInfoLog()}_getCompilationErrorMessage(e){let t=`${this.props.stage} shader ${this.props.id}`,n=Fb(this._getCompilationInfoLog()),r=this.getCompilationInfoSync(),i=r.find(e=>e.type===`error`&&e.message.trim())||r.find(e=>e.message.trim())||r.find(e=>e.type===`error`)||r[0];if(!i)return n?`GLSL compilation errors in ${t}: ${n}`:`GLSL compilation errors in ${t}: WebGL did not provide a shader compiler log`;let a=i.lineNum?e.split(/\r?\n/)[i.lineNum-1]?.trim():void 0,o=i.lineNum?` line ${i.lineNum}`:``,s=a?`\nSource: ${a}`:``;return`GLSL compilation errors in ${t}:${o}: ${i.message.trim()||n||`WebGL did not provide a shader compiler log`}${s}`}_getCompilationInfoLog(){let e=this.device.gl.getShaderInfoLog(this.handle)?.trim();return e&&(this._compilationInfoLog=e),this._compilationInfoLog}};function Fb(e){return e.split(/\r?\n/).find(e=>e.trim())?.trim()}function Ib(e,t,n,r){if(Gb(t))return r(e);let i=e;i.pushState();try{return Lb(e,t),Ty(i.gl,n),r(e)}finally{i.popState()}}function Lb(e,t){let n=e,{gl:r}=n;if(t.cullMode)switch(t.cullMode){case`none`:r.disable(2884);break;case`front`:r.enable(2884),r.cullFace(1028);break;case`back`:r.enable(2884),r.cullFace(1029)}if(t.frontFace&&r.frontFace(Ub(`frontFace`,t.frontFace,{ccw:2305,cw:2304})),t.unclippedDepth&&e.features.has(`depth-clip-control`)&&r.enable(34383),t.depthBias!==void 0&&(r.enable(32823),r.polygonOffset(t.depthBias,t.depthBiasSlopeScale||0)),t.provokingVertex&&e.features.has(`provoking-vertex-webgl`)){let e=n.getExtension(`WEBGL_provoking_vertex`).WEBGL_provoking_vertex,r=Ub(`provokingVertex`,t.provokingVertex,{first:36429,last:36430});e?.provokingVertexWEBGL(r)}if((t.polygonMode||t.polygonOffsetLine)&&e.features.has(`polygon-mode-webgl`)){if(t.polygonMode){let e=n.getExtension(`WEBGL_polygon_mode`).WEBGL_polygon_mode,r=Ub(`polygonMode`,t.polygonMode,{fill:6914,line:6913});e?.polygonModeWEBGL(1028,r),e?.polygonModeWEBGL(1029,r)}t.polygonOffsetLine&&r.enable(10754)}if(e.features.has(`shader-clip-cull-distance-webgl`)&&(t.clipDistance0&&r.enable(12288),t.clipDistance1&&r.enable(12289),t.clipDistance2&&r.enable(12290),t.clipDistance3&&r.enable(12291),t.clipDistance4&&r.enable(12292),t.clipDistance5&&r.enable(12293),t.clipDistance6&&r.enable(12294),t.clipDistance7&&r.enable(12295)),t.depthWriteEnabled!==void 0&&r.depthMask(Wb(`depthWriteEnabled`,t.depthWriteEnabled)),t.depthCompare&&(t.depthCompare===`always`?r.disable(2929):r.enable(2929),r.depthFunc(Rb(`depthCompare`,t.depthCompare))),t.clearDepth!==void 0&&r.clearDepth(t.clearDepth),t.stencilWriteMask){let e=t.stencilWriteMask;r.stencilMaskSeparate(1028,e),r.stencilMaskSeparate(1029,e)}if(t.stencilReadMask&&i.warn(`stencilReadMask not supported under WebGL`),t.stencilCompare){let e=t.stencilReadMask||4294967295,n=Rb(`depthCompare`,t.stencilCompare);t.stencilCompare===`always`?r.disable(2960):r.enable(2960),r.stencilFuncSeparate(1028,n,0,e),r.stencilFuncSeparate(1029,n,0,e)}if(t.stencilPassOperation&&t.stencilFailOperation&&t.stencilDepthFailOperation){let e=zb(`stencilPassOperation`,t.stencilPassOperation),n=zb(`stencilFailOperation`,t.stencilFailOperation),i=zb(`stencilDepthFailOperation`,t.stencilDepthFailOperation);r.stencilOpSeparate(1028,n,i,e),r.stencilOpSeparate(1029,n,i,e)}switch(t.blend){case!0:r.enable(3042);break;case!1:r.disable(3042)}if(t.blendColorOperation||t.blendAlphaOperation){let e=Bb(`blendColorOperation`,t.blendColorOperation||`add`),n=Bb(`blendAlphaOperation`,t.blendAlphaOperation||`add`);r.blendEquationSeparate(e,n);let i=Vb(`blendColorSrcFactor`,t.blendColorSrcFactor||`one`),a=Vb(`blendColorDstFactor`,t.blendColorDstFactor||`zero`),o=Vb(`blendAlphaSrcFactor`,t.blendAlphaSrcFactor||`one`),s=Vb(`blendAlphaDstFactor`,t.blendAlphaDstFactor||`zero`);r.blendFuncSeparate(i,a,o,s)}}function Rb(e,t){return Ub(e,t,{never:512,less:513,equal:514,"less-equal":515,greater:516,"not-equal":517,"greater-equal":518,always:519})}function zb(e,t){return Ub(e,t,{keep:7680,zero:0,replace:7681,invert:5386,"increment-clamp":7682,"decrement-clamp":7683,"increment-wrap":34055,"decrement-wrap":34056})}function Bb(e,t){return Ub(e,t,{add:32774,subtract:32778,"reverse-subtract":32779,min:32775,max:32776})}function Vb(e,t,n=`color`){return Ub(e,t,{one:1,zero:0,src:768,"one-minus-src":769,dst:774,"one-minus-dst":775,"src-alpha":770,"one-minus-src-alpha":771,"dst-alpha":772,"one-minus-dst-alpha":773,"src-alpha-saturated":776,constant:n===`color`?32769:32771,"one-minus-constant":n===`color`?32770:32772,src1:768,"one-minus-src1":769,"src1-alpha":770,"one-minus-src1-alpha":771})}function Hb(e,t){return`Illegal parameter ${t} for ${e}`}function Ub(e,t,n){if(!(t in n))throw Error(Hb(e,t));return n[t]}function Wb(e,t){return t}function Gb(e){let t=!0;for(let n in e){t=!1;break}return t}function Kb(e){let t={};return e.addressModeU&&(t[10242]=qb(e.addressModeU)),e.addressModeV&&(t[10243]=qb(e.addressModeV)),e.addressModeW&&(t[32882]=qb(e.addressModeW)),e.magFilter&&(t[10240]=Jb(e.magFilter)),(e.minFilter||e.mipmapFilter)&&(t[10241]=Yb(e.minFilter||`linear`,e.mipmapFilter)),e.lodMinClamp!==void 0&&(t[33082]=e.lodMinClamp),e.lodMaxClamp!==void 0&&(t[33083]=e.lodMaxClamp),e.type===`comparison-sampler`&&(t[34892]=34894),e.compare&&(t[34893]=Rb(`compare`,e.compare)),e.maxAnisotropy&&(t[34046]=e.maxAnisotropy),t}function qb(e){switch(e){case`clamp-to-edge`:return 33071;case`repeat`:return 10497;case`mirror-repeat`:return 33648}}function Jb(e){switch(e){case`nearest`:return 9728;case`linear`:return 9729}}function Yb(e,t=`none`){if(!t)return Jb(e);switch(t){case`none`:return Jb(e);case`nearest`:switch(e){case`nearest`:return 9984;case`linear`:return 9985}break;case`linear`:switch(e){case`nearest`:return 9986;case`linear`:return 9987}}}var Xb=class extends be{device;handle;parameters;constructor(e,t){super(e,t),this.device=e,this.parameters=Kb(t),this.handle=t.handle||this.device.gl.createSampler(),this._setSamplerParameters(this.parameters)}destroy(){this.handle&&=(this.device.gl.deleteSampler(this.handle),void 0)}toString(){return`Sampler(${this.id},${JSON.stringify(this.props)})`}_setSamplerParameters(e){for(let[t,n]of Object.entries(e)){let e=Number(t);switch(e){case 33082:case 33083:this.device.gl.samplerParameterf(this.handle,e,n);break;default:this.device.gl.samplerParameteri(this.handle,e,n)}}}};function Zb(e,t,n){if(Qb(t))return n(e);let{nocatch:r=!0}=t,i=jy.get(e);i.push(),Ty(e,t);let a;if(r)a=n(e),i.pop();else try{a=n(e)}finally{i.pop()}return a}function Qb(e){for(let t in e)return!1;return!0}var $b=class extends ue{device;gl;handle;texture;constructor(e,t){super(e,{...me.defaultProps,...t}),this.device=e,this.gl=this.device.gl,this.handle=null,this.texture=t.texture}};function ex(e){return tx[e]}var tx={5124:`sint32`,5125:`uint32`,5122:`sint16`,5123:`uint16`,5120:`sint8`,5121:`uint8`,5126:`float32`,5131:`float16`,33635:`uint16`,32819:`uint16`,32820:`uint16`,33640:`uint32`,35899:`uint32`,35902:`uint32`,34042:`uint32`,36269:`uint32`},nx=class extends me{device;gl;handle;sampler=void 0;view;glTarget;glFormat;glType;glInternalFormat;compressed;_textureUnit=0;_framebuffer=null;_framebufferAttachmentKey=null;constructor(e,t){super(e,t,{byteAlignment:1}),this.device=e,this.gl=this.device.gl;let n=hb(this.props.format);if(this.glTarget=ax(this.props.dimension),this.glInternalFormat=n.internalFormat,this.glFormat=n.format,this.glType=n.type,this.compressed=n.compressed,this.isHandleBorrowed&&this.props.handle===void 0)throw Error(`Borrowed WebGL textures require a texture handle`);if(this.handle=this.props.handle||this.gl.createTexture(),this.device._setWebGLDebugMetadata(this.handle,this,{spector:this.props}),!this.isHandleBorrowed){this.gl.bindTexture(this.glTarget,this.handle);let{dimension:e,width:n,height:r,depth:i,mipLevels:a,glTarget:o,glInternalFormat:s}=this;if(!this.compressed)switch(e){case`2d`:case`cube`:this.gl.texStorage2D(o,a,s,n,r);break;case`2d-array`:case`3d`:this.gl.texStorage3D(o,a,s,n,r,i);break;default:throw Error(e)}this.gl.bindTexture(this.glTarget,null),this._initializeData(t.data)}this.ownsHandle?this.trackAllocatedMemory(this.getAllocatedByteLength(),`Texture`):this.trackReferencedMemory(this.getAllocatedByteLength(),`Texture`),this.isHandleBorrowed||this.setSampler(this.props.sampler),this.view=new $b(this.device,{...this.props,texture:this}),Object.seal(this)}destroy(){this.handle&&(this._framebuffer?.destroy(),this._framebuffer=null,this._framebufferAttachmentKey=null,this.removeStats(),this.ownsHandle?(this.gl.deleteTexture(this.handle),this.trackDeallocatedMemory(`Texture`)):this.trackDeallocatedReferencedMemory(`Texture`),this.destroyed=!0)}createView(e){return new $b(this.device,{...e,texture:this})}clone(e){if(this.isHandleBorrowed&&e&&(e.width!==this.width||e.height!==this.height))throw Error(`Cannot resize borrowed read-only ${this}`);return super.clone(e)}setSampler(e={}){this._assertWritable(`set sampler parameters on`),super.setSampler(e);let t=Kb(this.sampler.props);this._setSamplerParameters(t)}copyExternalImage(e){this._assertWritable(`copy external image data into`);let t=this._normalizeCopyExternalImageOptions(e);if(t.sourceX||t.sourceY)throw Error(`WebGL does not support sourceX/sourceY)`);let{glFormat:n,glType:r}=this,{image:i,depth:a,mipLevel:o,x:s,y:c,z:l,width:u,height:d}=t,f=ox(this.glTarget,this.dimension,l),p=t.flipY?{37440:!0}:{};return this.gl.bindTexture(this.glTarget,this.handle),Zb(this.gl,p,()=>{switch(this.dimension){case`2d`:case`cube`:this.gl.texSubImage2D(f,o,s,c,u,d,n,r,i);break;case`2d-array`:case`3d`:this.gl.texSubImage3D(f,o,s,c,l,u,d,a,n,r,i)}}),this.gl.bindTexture(this.glTarget,null),{width:t.width,height:t.height}}copyElementImage(e){this._assertWritable(`copy element image data into`);let t=this._normalizeCopyElementImageOptions(e),{glFormat:n}=this,{element:r,depth:i,mipLevel:a,sourceX:o,sourceY:s,sourceWidth:c,sourceHeight:l,x:u,y:d,z:f,width:p,height:m}=t,h=ox(this.glTarget,this.dimension,f),g=t.flipY?{37440:!0}:{},_=this.gl;if(i!==1||this.dimension!==`2d`&&this.dimension!==`cube`)throw Error(`${this} copyElementImage only supports 2d and cube textures on WebGL`);if(a!==0||u!==0||d!==0)throw Error(`${this} copyElementImage only supports full base-level uploads on WebGL`);if(typeof _.texElementImage2D!=`function`)throw Error(`${this} copyElementImage is not supported by this WebGL implementation`);return this.gl.bindTexture(this.glTarget,this.handle),Zb(this.gl,g,()=>{_.texElementImage2D?.(h,n,r,{sx:o,sy:s,swidth:c??p,sheight:l??m,width:p,height:m})}),this.gl.bindTexture(this.glTarget,null),{width:t.width,height:t.height}}copyImageData(e){super.copyImageData(e)}readBuffer(e={},t){if(!t)throw Error(`${this} readBuffer requires a destination buffer`);let n=this._getSupportedColorReadOptions(e),r=e.byteOffset??0,i=this.computeMemoryLayout(n);if(t.byteLength<r+i.byteLength)throw Error(`${this} readBuffer target is too small (${t.byteLength} < ${r+i.byteLength})`);let a=t;this.gl.bindBuffer(35051,a.handle);try{this._readColorTextureLayers(n,i,e=>{this.gl.readPixels(n.x,n.y,n.width,n.height,this.glFormat,this.glType,r+e)})}finally{this.gl.bindBuffer(35051,null)}return t}async readDataAsync(e={}){throw Error(`${this} readDataAsync is deprecated; use readBuffer() with an explicit destination buffer or DynamicTexture.readAsync()`)}writeBuffer(e,t={}){this._assertWritable(`write buffer data into`);let n=this._normalizeTextureWriteOptions(t),{width:r,height:i,depthOrArrayLayers:a,mipLevel:o,byteOffset:s,x:c,y:l,z:u}=n,{glFormat:d,glType:f,compressed:p}=this,m=ox(this.glTarget,this.dimension,u);if(p)throw Error(`writeBuffer for compressed textures is not implemented in WebGL`);let{bytesPerPixel:h}=this.device.getTextureFormatInfo(this.format),g=h?n.bytesPerRow/h:void 0,_={3317:this.byteAlignment,...g===void 0?{}:{3314:g},32878:n.rowsPerImage};this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,e.handle),Zb(this.gl,_,()=>{switch(this.dimension){case`2d`:case`cube`:this.gl.texSubImage2D(m,o,c,l,r,i,d,f,s);break;case`2d-array`:case`3d`:this.gl.texSubImage3D(m,o,c,l,u,r,i,a,d,f,s)}}),this.gl.bindBuffer(35052,null),this.gl.bindTexture(this.glTarget,null)}writeData(e,t={}){this._assertWritable(`write data into`);let n=this._normalizeTextureWriteOptions(t),r=ArrayBuffer.isView(e)?e:new Uint8Array(e),{width:i,height:a,depthOrArrayLayers:o,mipLevel:s,x:c,y:l,z:u,byteOffset:d}=n,{glFormat:f,glType:p,compressed:m}=this,h=ox(this.glTarget,this.dimension,u),g;if(!m){let{bytesPerPixel:e}=this.device.getTextureFormatInfo(this.format);e&&(g=n.bytesPerRow/e)}let _=this.compressed?{}:{3317:this.byteAlignment,...g===void 0?{}:{3314:g},32878:n.rowsPerImage},v=ix(r,d),y=m?rx(r,d):r,b=this._getMipLevelSize(s),x=c===0&&l===0&&u===0&&i===b.width&&a===b.height&&o===b.depthOrArrayLayers;this.gl.bindTexture(this.glTarget,this.handle),this.gl.bindBuffer(35052,null),Zb(this.gl,_,()=>{switch(this.dimension){case`2d`:case`cube`:m?x?this.gl.compressedTexImage2D(h,s,f,i,a,0,y):this.gl.compressedTexSubImage2D(h,s,c,l,i,a,f,y):this.gl.texSubImage2D(h,s,c,l,i,a,f,p,r,v);break;case`2d-array`:case`3d`:m?x?this.gl.compressedTexImage3D(h,s,f,i,a,o,0,y):this.gl.compressedTexSubImage3D(h,s,c,l,u,i,a,o,f,y):this.gl.texSubImage3D(h,s,c,l,u,i,a,o,f,p,r,v)}}),this.gl.bindTexture(this.glTarget,null)}_getRowByteAlignment(e,t){return 1}_getFramebuffer(){return this._framebuffer||=this.device.createFramebuffer({id:`framebuffer-for-${this.id}`,width:this.width,height:this.height,colorAttachments:[this]}),this._framebuffer}readDataSyncWebGL(e={}){let t=this._getSupportedColorReadOptions(e),n=this.computeMemoryLayout(t),r=ex(this.glType),i=c(r),a=new i(n.byteLength/i.BYTES_PER_ELEMENT);return this._readColorTextureLayers(t,n,e=>{let r=new i(a.buffer,a.byteOffset+e,n.bytesPerImage/i.BYTES_PER_ELEMENT);this.gl.readPixels(t.x,t.y,t.width,t.height,this.glFormat,this.glType,r)}),a.buffer}_readColorTextureLayers(e,t,n){let r=this._getFramebuffer(),i=t.bytesPerRow/t.bytesPerPixel,a={3333:this.byteAlignment,...i===e.width?{}:{3330:i}},o=this.gl.getParameter(3074),s=this.gl.bindFramebuffer(36160,r.handle);try{this.gl.readBuffer(36064),Zb(this.gl,a,()=>{for(let i=0;i<e.depthOrArrayLayers;i++)this._attachReadSubresource(r,e.mipLevel,e.z+i),n(i*t.bytesPerImage)})}finally{this.gl.bindFramebuffer(36160,s||null),this.gl.readBuffer(o)}}_attachReadSubresource(e,t,n){let r=`${t}:${n}`;if(this._framebufferAttachmentKey!==r){switch(this.dimension){case`2d`:this.gl.framebufferTexture2D(36160,36064,3553,this.handle,t);break;case`cube`:this.gl.framebufferTexture2D(36160,36064,ox(this.glTarget,this.dimension,n),this.handle,t);break;case`2d-array`:case`3d`:this.gl.framebufferTextureLayer(36160,36064,this.handle,t,n);break;default:throw Error(`${this} color readback does not support ${this.dimension} textures`)}if(this.device.props.debug){let t=Number(this.gl.checkFramebufferStatus(36160));if(t!==36053)throw Error(`${e} incomplete for ${this} readback (${t})`)}this._framebufferAttachmentKey=r}}generateMipmapsWebGL(e){if(this._assertWritable(`generate mipmaps for`),!(!(this.device.isTextureFormatRenderable(this.props.format)&&this.device.isTextureFormatFilterable(this.props.format))&&(i.warn(`${this} is not renderable or filterable, may not be able to generate mipmaps`)(),!e?.force)))try{this.gl.bindTexture(this.glTarget,this.handle),this.gl.generateMipmap(this.glTarget)}catch(e){i.warn(`Error generating mipmap for ${this}: ${e.message}`)()}finally{this.gl.bindTexture(this.glTarget,null)}}_setSamplerParameters(e){i.level>=2&&i.log(2,`${this.id} sampler parameters`,this.device.getGLKeys(e))(),this.gl.bindTexture(this.glTarget,this.handle);for(let[t,n]of Object.entries(e)){let e=Number(t),r=n;switch(e){case 33082:case 33083:this.gl.texParameterf(this.glTarget,e,r);break;case 10240:case 10241:this.gl.texParameteri(this.glTarget,e,r);break;case 10242:case 10243:case 32882:this.gl.texParameteri(this.glTarget,e,r);break;case 34046:this.device.features.has(`texture-filterable-anisotropic-webgl`)&&this.gl.texParameteri(this.glTarget,e,r);break;case 34892:case 34893:this.gl.texParameteri(this.glTarget,e,r)}}this.gl.bindTexture(this.glTarget,null)}_getActiveUnit(){return this.gl.getParameter(34016)-33984}_bind(e){let{gl:t}=this;return e!==void 0&&(this._textureUnit=e,t.activeTexture(33984+e)),t.bindTexture(this.glTarget,this.handle),e}_unbind(e){let{gl:t}=this;return e!==void 0&&(this._textureUnit=e,t.activeTexture(33984+e)),t.bindTexture(this.glTarget,null),e}_assertWritable(e){if(this.isHandleBorrowed)throw Error(`Cannot ${e} borrowed read-only ${this}`)}};function rx(e,t=0){return t?new e.constructor(e.buffer,e.byteOffset+t,(e.byteLength-t)/e.BYTES_PER_ELEMENT):e}function ix(e,t){if(t%e.BYTES_PER_ELEMENT!==0)throw Error(`Texture byteOffset ${t} must align to typed array element size ${e.BYTES_PER_ELEMENT}`);return t/e.BYTES_PER_ELEMENT}function ax(e){switch(e){case`1d`:break;case`2d`:return 3553;case`3d`:return 32879;case`cube`:return 34067;case`2d-array`:return 35866}throw Error(e)}function ox(e,t,n){return t===`cube`?34069+n:e}function sx(e,t,n,r){let i=e,a=r;a===!0&&(a=1),a===!1&&(a=0);let o=typeof a==`number`?[a]:a;switch(n){case 35678:case 35680:case 35679:case 35682:case 36289:case 36292:case 36293:case 36298:case 36299:case 36300:case 36303:case 36306:case 36307:case 36308:case 36311:if(typeof r!=`number`)throw Error(`samplers must be set to integers`);return e.uniform1i(t,r);case 5126:return e.uniform1fv(t,o);case 35664:return e.uniform2fv(t,o);case 35665:return e.uniform3fv(t,o);case 35666:return e.uniform4fv(t,o);case 5124:return e.uniform1iv(t,o);case 35667:return e.uniform2iv(t,o);case 35668:return e.uniform3iv(t,o);case 35669:return e.uniform4iv(t,o);case 35670:return e.uniform1iv(t,o);case 35671:return e.uniform2iv(t,o);case 35672:return e.uniform3iv(t,o);case 35673:return e.uniform4iv(t,o);case 5125:return i.uniform1uiv(t,o,1);case 36294:return i.uniform2uiv(t,o,2);case 36295:return i.uniform3uiv(t,o,3);case 36296:return i.uniform4uiv(t,o,4);case 35674:return e.uniformMatrix2fv(t,!1,o);case 35675:return e.uniformMatrix3fv(t,!1,o);case 35676:return e.uniformMatrix4fv(t,!1,o);case 35685:return i.uniformMatrix2x3fv(t,!1,o);case 35686:return i.uniformMatrix2x4fv(t,!1,o);case 35687:return i.uniformMatrix3x2fv(t,!1,o);case 35688:return i.uniformMatrix3x4fv(t,!1,o);case 35689:return i.uniformMatrix4x2fv(t,!1,o);case 35690:return i.uniformMatrix4x3fv(t,!1,o)}throw Error(`Illegal uniform`)}function cx(e){return mx[e]}function lx(e){return fx[e]}function ux(e){return!!px[e]}function dx(e){return px[e]}var fx={5126:`f32`,35664:`vec2<f32>`,35665:`vec3<f32>`,35666:`vec4<f32>`,5124:`i32`,35667:`vec2<i32>`,35668:`vec3<i32>`,35669:`vec4<i32>`,5125:`u32`,36294:`vec2<u32>`,36295:`vec3<u32>`,36296:`vec4<u32>`,35670:`f32`,35671:`vec2<f32>`,35672:`vec3<f32>`,35673:`vec4<f32>`,35674:`mat2x2<f32>`,35685:`mat2x3<f32>`,35686:`mat2x4<f32>`,35687:`mat3x2<f32>`,35675:`mat3x3<f32>`,35688:`mat3x4<f32>`,35689:`mat4x2<f32>`,35690:`mat4x3<f32>`,35676:`mat4x4<f32>`},px={35678:{viewDimension:`2d`,sampleType:`float`},35680:{viewDimension:`cube`,sampleType:`float`},35679:{viewDimension:`3d`,sampleType:`float`},35682:{viewDimension:`3d`,sampleType:`depth`},36289:{viewDimension:`2d-array`,sampleType:`float`},36292:{viewDimension:`2d-array`,sampleType:`depth`},36293:{viewDimension:`cube`,sampleType:`float`},36298:{viewDimension:`2d`,sampleType:`sint`},36299:{viewDimension:`3d`,sampleType:`sint`},36300:{viewDimension:`cube`,sampleType:`sint`},36303:{viewDimension:`2d-array`,sampleType:`uint`},36306:{viewDimension:`2d`,sampleType:`uint`},36307:{viewDimension:`3d`,sampleType:`uint`},36308:{viewDimension:`cube`,sampleType:`uint`},36311:{viewDimension:`2d-array`,sampleType:`uint`}},mx={uint8:5121,sint8:5120,unorm8:5121,snorm8:5120,uint16:5123,sint16:5122,unorm16:5123,snorm16:5122,uint32:5125,sint32:5124,float16:5131,float32:5126};function hx(e,t,n={}){let r={attributes:[],bindings:[]};r.attributes=gx(e,t);let i=yx(e,t,n);for(let e of i){let t=e.uniforms.map(e=>({name:e.name,format:e.format,byteOffset:e.byteOffset,byteStride:e.byteStride,arrayLength:e.arrayLength}));r.bindings.push({type:`uniform`,name:e.name,group:0,location:e.location,visibility:+!!e.vertex|(e.fragment?2:0),minBindingSize:e.byteLength,uniforms:t})}let a=vx(e,t),o=0;for(let e of a)if(ux(e.type)){let{viewDimension:t,sampleType:n}=dx(e.type);r.bindings.push({type:`texture`,name:e.name,group:0,location:o,viewDimension:t,sampleType:n}),e.textureUnit=o,o+=1}a.length&&(r.uniforms=a);let s=_x(e,t);return s?.length&&(r.varyings=s),r}function gx(e,t){let n=[],r=e.getProgramParameter(t,35721);for(let i=0;i<r;i++){let r=e.getActiveAttrib(t,i);if(!r)throw Error(`activeInfo`);let{name:a,type:o}=r,s=e.getAttribLocation(t,a);if(s>=0){let e=lx(o),t=/instance/i.test(a)?`instance`:`vertex`;n.push({name:a,location:s,stepMode:t,type:e})}}return n.sort((e,t)=>e.location-t.location),n}function _x(e,t){let n=[],r=e.getProgramParameter(t,35971);for(let i=0;i<r;i++){let r=e.getTransformFeedbackVarying(t,i);if(!r)throw Error(`activeInfo`);let{name:a,type:o,size:s}=r,c=lx(o),{type:l,components:d}=u(c);n.push({location:i,name:a,type:l,size:s*d})}return n.sort((e,t)=>e.location-t.location),n}function vx(e,t){let n=[],r=e.getProgramParameter(t,35718);for(let i=0;i<r;i++){let r=e.getActiveUniform(t,i);if(!r)throw Error(`activeInfo`);let{name:a,size:o,type:s}=r,{name:c,isArray:l}=Ax(a),u=e.getUniformLocation(t,c),d={location:u,name:c,size:o,type:s,isArray:l};if(n.push(d),d.size>1)for(let r=0;r<d.size;r++){let i=`${c}[${r}]`;u=e.getUniformLocation(t,i);let a={...d,name:i,location:u};n.push(a)}}return n}function yx(e,t,n){let r=[],a=xx(e,t,n);for(let[n,o]of a){r.push(o);try{bx(Cx(e,t,n,o.name),o)}catch(e){let t=e instanceof Error?e.message:String(e);i.once(0,`WebGL uniform block reflection failed for "${o.name}"; using supplied std140 metadata. ${t}`)()}}let o=e.getProgramParameter(t,35382);if(!Number.isInteger(o)||o<0)throw Error(`Failed to reflect WebGL uniform blocks: ACTIVE_UNIFORM_BLOCKS returned ${String(o)}`);for(let n=0;n<o;n++)a.has(n)||r.push(Cx(e,t,n));return r.sort((e,t)=>e.location-t.location),r}function bx(e,t){for(let n of e.uniforms){let e=t.uniforms.find(e=>n.name===e.name||n.name.endsWith(`.${e.name}`));if(!e)throw Error(`Failed to validate WebGL uniform block "${t.name}": reflected unexpected member "${n.name}"`);if(n.format!==e.format||n.arrayLength!==e.arrayLength||n.byteOffset!==e.byteOffset||n.byteStride!==e.byteStride)throw Error(`Failed to validate WebGL uniform block "${t.name}": reflected layout for "${n.name}" does not match supplied std140 metadata`)}}function xx(e,t,n){let r=new Map;for(let e of n.uniformBlockLayouts||[])r.set(e.name,Dx(e));for(let e of n.shaderLayout?.bindings||[])kx(e)&&r.set(e.name,e);let i=new Map;for(let n of r.values()){let r=Sx(e,t,n.name);if(!r)continue;let{blockIndex:a,blockName:o}=r;if(i.has(a))throw Error(`Multiple supplied uniform block layouts resolve to active WebGL block "${o}"`);i.set(a,{name:o,location:a,byteLength:n.minBindingSize,vertex:!!(n.visibility&&n.visibility&1),fragment:!!(n.visibility&&n.visibility&2),uniformCount:n.uniforms.length,uniforms:n.uniforms.map(e=>({...e}))})}return i}function Sx(e,t,n){let r=n.endsWith(`Uniforms`)?[n,n.slice(0,-8)]:[n,`${n}Uniforms`];for(let n of r){let r=e.getUniformBlockIndex(t,n);if(r!==4294967295){if(!Number.isInteger(r)||r<0)throw Error(`Failed to resolve WebGL uniform block "${n}": getUniformBlockIndex returned ${String(r)}`);return{blockIndex:r,blockName:n}}}return null}function Cx(e,t,n,r){let a=r||e.getActiveUniformBlockName(t,n);if(!a)throw Error(`Failed to reflect WebGL uniform block at index ${n}: missing block name`);let o=(r,i)=>{let o=e.getActiveUniformBlockParameter(t,n,r);if(o==null)throw Error(`Failed to reflect WebGL uniform block "${a}": ${i} returned null`);return o},s=Ex(o(35391,`UNIFORM_BLOCK_BINDING`),a,`UNIFORM_BLOCK_BINDING`,0),c=Ex(o(35392,`UNIFORM_BLOCK_DATA_SIZE`),a,`UNIFORM_BLOCK_DATA_SIZE`,0),l=Ex(o(35394,`UNIFORM_BLOCK_ACTIVE_UNIFORMS`),a,`UNIFORM_BLOCK_ACTIVE_UNIFORMS`,0),u=Tx(o(35395,`UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES`),a,`UNIFORM_BLOCK_ACTIVE_UNIFORM_INDICES`,l),d=wx(e,t,u,35383,`UNIFORM_TYPE`,a,l),f=wx(e,t,u,35384,`UNIFORM_SIZE`,a,l),p=wx(e,t,u,35386,`UNIFORM_BLOCK_INDEX`,a,l),m=wx(e,t,u,35387,`UNIFORM_OFFSET`,a,l),h=wx(e,t,u,35388,`UNIFORM_ARRAY_STRIDE`,a,l),g=[];for(let r=0;r<l;r++){if(p[r]!==n)throw Error(`Failed to reflect WebGL uniform block "${a}": active uniform index ${u[r]} belongs to block ${p[r]}, expected ${n}`);let i=u[r],o=e.getActiveUniform(t,i);if(!o)throw Error(`Failed to reflect WebGL uniform block "${a}": getActiveUniform(${i}) returned null`);let s=Ex(d[r],a,`UNIFORM_TYPE[${r}]`,1),c=Ex(f[r],a,`UNIFORM_SIZE[${r}]`,1),l=Ex(m[r],a,`UNIFORM_OFFSET[${r}]`,0),_=Ex(h[r],a,`UNIFORM_ARRAY_STRIDE[${r}]`,0);if(o.type!==s||o.size!==c)throw Error(`Failed to reflect WebGL uniform block "${a}": getActiveUniform(${i}) disagrees with getActiveUniforms`);g.push({name:o.name,format:lx(s),arrayLength:c,byteOffset:l,byteStride:_})}let _={name:a,location:s,byteLength:c,vertex:!!o(35396,`UNIFORM_BLOCK_REFERENCED_BY_VERTEX_SHADER`),fragment:!!o(35398,`UNIFORM_BLOCK_REFERENCED_BY_FRAGMENT_SHADER`),uniformCount:l,uniforms:g},v=new Set(_.uniforms.map(e=>e.name.split(`.`)[0]).filter(e=>!!e)),y=_.name.replace(/Uniforms$/,``);if(v.size===1&&!v.has(_.name)&&!v.has(y)){let[e]=v;i.warn(`Uniform block "${_.name}" uses GLSL instance "${e}". luma.gl binds uniform buffers by block name ("${_.name}") and alias ("${y}"). Prefer matching the instance name to one of those to avoid confusing silent mismatches.`)()}return _}function wx(e,t,n,r,i,a,o){let s=e.getActiveUniforms(t,n,r);if(s===null)throw Error(`Failed to reflect WebGL uniform block "${a}": ${i} returned null`);return Tx(s,a,i,o)}function Tx(e,t,n,r){if(!Array.isArray(e)&&!ArrayBuffer.isView(e))throw Error(`Failed to reflect WebGL uniform block "${t}": ${n} returned a non-array value`);let i=Array.from(e);if(i.length!==r||i.some(e=>!Number.isInteger(e)))throw Error(`Failed to reflect WebGL uniform block "${t}": ${n} returned ${i.length} invalid values, expected ${r}`);return i}function Ex(e,t,n,r){if(!Number.isInteger(e)||e<r)throw Error(`Failed to reflect WebGL uniform block "${t}": ${n} returned ${String(e)}`);return e}function Dx(e){let t=r(e.uniformTypes,{layout:`std140`}),n=Ox(e.uniformTypes,t.fields);return{type:`uniform`,name:e.name,group:0,location:0,minBindingSize:t.byteLength,uniforms:n}}function Ox(e,t){let n=[],r=(e,a)=>{if(typeof a==`string`){let r=t[e];if(!r)throw Error(`Missing std140 layout field ${e}`);n.push({name:e,format:r.shaderType,arrayLength:1,byteOffset:r.offset*4,byteStride:0})}else if(Array.isArray(a))i(e,a[0],a[1]);else for(let[t,n]of Object.entries(a))r(`${e}.${t}`,n)},i=(e,r,i)=>{if(typeof r==`string`){let r=t[`${e}[0]`],a=i>1?t[`${e}[1]`]:void 0;if(!r)throw Error(`Missing std140 array layout field ${e}[0]`);n.push({name:`${e}[0]`,format:r.shaderType,arrayLength:i,byteOffset:r.offset*4,byteStride:a?(a.offset-r.offset)*4:0})}else{if(Array.isArray(r))throw Error(`Nested uniform arrays are not supported for ${e}`);for(let[a,o]of Object.entries(r)){if(typeof o!=`string`)throw Error(`Composite uniform array members are not supported for ${e}`);let r=`${e}[0].${a}`,s=`${e}[1].${a}`,c=t[r],l=i>1?t[s]:void 0;if(!c)throw Error(`Missing std140 array layout field ${r}`);n.push({name:r,format:c.shaderType,arrayLength:i,byteOffset:c.offset*4,byteStride:l?(l.offset-c.offset)*4:0})}}};for(let[t,n]of Object.entries(e))r(t,n);return n}function kx(e){return e.type===`uniform`&&Number.isInteger(e.minBindingSize)&&e.minBindingSize>=0&&Array.isArray(e.uniforms)&&e.uniforms.every(e=>typeof e.name==`string`&&typeof e.format==`string`&&Number.isInteger(e.arrayLength)&&e.arrayLength>0&&Number.isInteger(e.byteOffset)&&e.byteOffset>=0&&Number.isInteger(e.byteStride)&&e.byteStride>=0)}function Ax(e){if(e[e.length-1]!==`]`)return{name:e,length:1,isArray:!1};let t=/([^[]*)(\[[0-9]+\])?/.exec(e);return{name:o(t?.[1],`Failed to parse GLSL uniform name ${e}`),length:+!!t?.[2],isArray:!!t?.[2]}}var jx=class extends a{device;handle;vs;fs;introspectedLayout;bindings={};uniforms={};varyings=null;_uniformCount=0;_uniformSetters={};get[Symbol.toStringTag](){return`WEBGLRenderPipeline`}constructor(e,t){super(e,t),this.device=e;let n=this.sharedRenderPipeline||this.device._createSharedRenderPipelineWebGL(t);this.sharedRenderPipeline=n,this.handle=n.handle,this.vs=n.vs,this.fs=n.fs,this.linkStatus=n.linkStatus,this.introspectedLayout=hx(this.device.gl,this.handle,{uniformBlockLayouts:t._uniformBlockLayouts,shaderLayout:t.shaderLayout}),this.device._setWebGLDebugMetadata(this.handle,this,{spector:{id:this.props.id}}),this.shaderLayout=t.shaderLayout?Mx(this.introspectedLayout,t.shaderLayout):this.introspectedLayout}destroy(){this.destroyed||(this.sharedRenderPipeline&&!this.props._sharedRenderPipeline&&this.sharedRenderPipeline.destroy(),this.destroyResource())}setBindings(e,t){let n=le(ve(this.shaderLayout,e));for(let[e,r]of Object.entries(n)){let n=Nx(this.shaderLayout,e);if(n){switch(r||i.warn(`Unsetting binding "${e}" in render pipeline "${this.id}"`)(),n.type){case`uniform`:if(!(r instanceof kb)&&!(r.buffer instanceof kb))throw Error(`buffer value`);break;case`texture`:if(!(r instanceof $b||r instanceof nx||r instanceof Sb))throw Error(`${this} Bad texture binding for ${e}`);break;case`sampler`:i.warn(`Ignoring sampler ${e}`)();break;default:throw Error(n.type)}this.bindings[e]=r}else{let n=this.shaderLayout.bindings.map(e=>`"${e.name}"`).join(`, `);t?.disableWarnings||i.warn(`No binding "${e}" in render pipeline "${this.id}", expected one of ${n}`,r)()}}}draw(e){let t=e.renderPass,n=e.bindGroups?le(e.bindGroups):e.bindings||this.bindings;return t.setPipeline(this),t.setBindings(n),t.setVertexArray(e.vertexArray),t.draw({parameters:e.parameters,topology:e.topology,isInstanced:e.isInstanced,vertexCount:e.vertexCount,indexCount:e.indexCount,instanceCount:e.instanceCount,firstVertex:e.firstVertex,firstIndex:e.firstIndex,firstInstance:e.firstInstance,baseVertex:e.baseVertex,transformFeedback:e.transformFeedback,uniforms:e.uniforms})}_areTexturesRenderable(e){let t=!0;for(let n of this.shaderLayout.bindings)Px(e,n.name)||(i.warn(`Binding ${n.name} not found in ${this.id}`)(),t=!1);return t}_applyBindings(e,t){if(this._syncLinkStatus(),this.linkStatus!==`success`)return;let{gl:n}=this.device;n.useProgram(this.handle);let r=0,a=0;for(let t of this.shaderLayout.bindings){let o=Px(e,t.name);if(!o)throw Error(`No value for binding ${t.name} in ${this.id}`);switch(t.type){case`uniform`:let{name:e}=t,s=n.getUniformBlockIndex(this.handle,e);if(s===4294967295)throw Error(`Invalid uniform block name ${e}`);if(n.uniformBlockBinding(this.handle,s,a),o instanceof kb)n.bindBufferBase(35345,a,o.handle);else{let e=o;n.bindBufferRange(35345,a,e.buffer.handle,e.offset||0,e.size||e.buffer.byteLength-(e.offset||0))}a+=1;break;case`texture`:if(!(o instanceof $b||o instanceof nx||o instanceof Sb))throw Error(`texture`);let c;if(o instanceof $b)c=o.texture;else if(o instanceof nx)c=o;else if(o instanceof Sb&&o.colorAttachments[0]instanceof $b)i.warn(`Passing framebuffer in texture binding may be deprecated. Use fbo.colorAttachments[0] instead`)(),c=o.colorAttachments[0].texture;else throw Error(`No texture`);n.activeTexture(33984+r),n.bindTexture(c.glTarget,c.handle),r+=1;break;case`sampler`:break;case`storage`:case`read-only-storage`:throw Error(`binding type '${t.type}' not supported in WebGL`)}}}_applyUniforms(e){for(let t of this.shaderLayout.uniforms||[]){let{name:n,location:r,type:i,textureUnit:a}=t,o=e[n]??a;o!==void 0&&sx(this.device.gl,r,i,o)}}_syncLinkStatus(){this.linkStatus=this.sharedRenderPipeline.linkStatus}};function Mx(e,t){let n={...e,attributes:e.attributes.map(e=>({...e})),bindings:e.bindings.map(e=>({...e}))};for(let e of t?.attributes||[]){let t=n.attributes.find(t=>t.name===e.name);t?(t.type=e.type||t.type,t.stepMode=e.stepMode||t.stepMode):i.warn(`shader layout attribute ${e.name} not present in shader`)}for(let e of t?.bindings||[]){let t=Nx(n,e.name);t?Object.assign(t,e):i.warn(`shader layout binding ${e.name} not present in shader`)}return n}function Nx(e,t){return e.bindings.find(e=>e.name===t||e.name===`${t}Uniforms`||`${e.name}Uniforms`===t)}function Px(e,t){return e[t]||e[`${t}Uniforms`]||e[t.replace(/Uniforms$/,``)]}var Fx=4,Ix=class extends Ol{device;handle;vs;fs;linkStatus=`pending`;constructor(e,t){super(e,t),this.device=e,this.handle=t.handle||this.device.gl.createProgram(),this.vs=t.vs,this.fs=t.fs,t.varyings&&t.varyings.length>0&&this.device.gl.transformFeedbackVaryings(this.handle,t.varyings,t.bufferMode||35981),this._linkShaders()}destroy(){this.destroyed||(this.device.gl.useProgram(null),this.device.gl.deleteProgram(this.handle),this.handle.destroyed=!0,this.destroyResource())}async _linkShaders(){let{gl:e}=this.device;if(e.attachShader(this.handle,this.vs.handle),e.attachShader(this.handle,this.fs.handle),i.time(Fx,`linkProgram for ${this.id}`)(),e.linkProgram(this.handle),i.timeEnd(Fx,`linkProgram for ${this.id}`)(),!this.device.features.has(`compilation-status-async-webgl`)){let e=this._getLinkStatus();this._reportLinkStatus(e);return}i.once(1,`RenderPipeline linking is asynchronous`)(),await this._waitForLinkComplete(),i.info(2,`RenderPipeline ${this.id} - async linking complete: ${this.linkStatus}`)();let t=this._getLinkStatus();this._reportLinkStatus(t)}async _reportLinkStatus(e){switch(e){case`success`:return;default:let t=e===`link-error`?`Link error`:`Validation error`;switch(this.vs.compilationStatus){case`error`:throw this.vs.debugShader(),Error(`${this} ${t} during compilation of ${this.vs}`);case`pending`:await this.vs.asyncCompilationStatus,this.vs.debugShader()}switch(this.fs?.compilationStatus){case`error`:throw this.fs.debugShader(),Error(`${this} ${t} during compilation of ${this.fs}`);case`pending`:await this.fs.asyncCompilationStatus,this.fs.debugShader()}let n=this.device.gl.getProgramInfoLog(this.handle);this.device.reportError(Error(`${t} during ${e}: ${n}`),this)(),this.device.debug()}}_getLinkStatus(){let{gl:e}=this.device;return e.getProgramParameter(this.handle,35714)?(this._initializeSamplerUniforms(),e.validateProgram(this.handle),e.getProgramParameter(this.handle,35715)?(this.linkStatus=`success`,`success`):(this.linkStatus=`error`,`validation-error`)):(this.linkStatus=`error`,`link-error`)}_initializeSamplerUniforms(){let{gl:e}=this.device;e.useProgram(this.handle);let t=0,n=e.getProgramParameter(this.handle,35718);for(let r=0;r<n;r++){let n=e.getActiveUniform(this.handle,r);if(n&&ux(n.type)){let r=n.name.endsWith(`[0]`),i=r?n.name.slice(0,-3):n.name,a=e.getUniformLocation(this.handle,i);a!==null&&(t=this._assignSamplerUniform(a,n,r,t))}}}_assignSamplerUniform(e,t,n,r){let{gl:i}=this.device;if(n&&t.size>1){let n=Int32Array.from({length:t.size},(e,t)=>r+t);return i.uniform1iv(e,n),r+t.size}return i.uniform1i(e,r),r+1}async _waitForLinkComplete(){let e=async e=>await new Promise(t=>setTimeout(t,e));if(!this.device.features.has(`compilation-status-async-webgl`)){await e(10);return}let{gl:t}=this.device;for(;;){if(t.getProgramParameter(this.handle,37297))return;await e(10)}}},Lx=class extends jl{device;handle=null;commands=[];constructor(e,t={}){super(e,t),this.device=e}_executeCommands(e=this.commands){for(let t of e)switch(t.name){case`copy-buffer-to-buffer`:Rx(this.device,t.options);break;case`copy-buffer-to-texture`:zx(this.device,t.options);break;case`copy-texture-to-buffer`:Bx(this.device,t.options);break;case`copy-texture-to-texture`:Vx(this.device,t.options);break;default:throw Error(t.name)}}};function Rx(e,t){let n=t.sourceBuffer,r=t.destinationBuffer;e.gl.bindBuffer(36662,n.handle),e.gl.bindBuffer(36663,r.handle),e.gl.copyBufferSubData(36662,36663,t.sourceOffset??0,t.destinationOffset??0,t.size),e.gl.bindBuffer(36662,null),e.gl.bindBuffer(36663,null)}function zx(e,t){let{sourceBuffer:n,byteOffset:r=0,destinationTexture:i,mipLevel:a=0,origin:o=[0,0,0],aspect:s=`all`,bytesPerRow:c,rowsPerImage:l,size:u}=t;if(s!==`all`)throw Error(`copyBufferToTexture aspect is not supported in WebGL`);i.writeBuffer(n,{byteOffset:r,bytesPerRow:c,rowsPerImage:l,mipLevel:a,x:o[0]??0,y:o[1]??0,z:o[2]??0,width:u[0],height:u[1],depthOrArrayLayers:u[2]})}function Bx(e,t){let{sourceTexture:n,mipLevel:r=0,aspect:i=`all`,width:a=t.sourceTexture.width,height:s=t.sourceTexture.height,depthOrArrayLayers:c,origin:l=[0,0,0],destinationBuffer:u,byteOffset:d=0,bytesPerRow:f,rowsPerImage:p}=t;if(n instanceof me){n.readBuffer({x:l[0]??0,y:l[1]??0,z:l[2]??0,width:a,height:s,depthOrArrayLayers:c,mipLevel:r,aspect:i,byteOffset:d},u);return}if(i!==`all`)throw Error(`aspect not supported in WebGL`);if(r!==0||c!==void 0||f||p)throw Error(`not implemented`);let{framebuffer:m,destroyFramebuffer:h}=Hx(n),g;try{let t=u,n=a||m.width,r=s||m.height,i=hb(o(m.colorAttachments[0]).texture.props.format),c=i.format,f=i.type;e.gl.bindBuffer(35051,t.handle),g=e.gl.bindFramebuffer(36160,m.handle),e.gl.readPixels(l[0],l[1],n,r,c,f,d)}finally{e.gl.bindBuffer(35051,null),g!==void 0&&e.gl.bindFramebuffer(36160,g),h&&m.destroy()}}function Vx(e,t){let{sourceTexture:n,destinationMipLevel:r=0,origin:i=[0,0],destinationOrigin:a=[0,0,0],destinationTexture:o}=t,{width:s=t.destinationTexture.width,height:c=t.destinationTexture.height}=t,{framebuffer:l,destroyFramebuffer:u}=Hx(n),[d=0,f=0]=i,[p,m,h]=a,g=e.gl.bindFramebuffer(36160,l.handle),_,v;if(o instanceof nx)_=o,s=Number.isFinite(s)?s:_.width,c=Number.isFinite(c)?c:_.height,_._bind(0),v=_.glTarget;else throw Error(`invalid destination`);switch(v){case 3553:case 34067:e.gl.copyTexSubImage2D(v,r,p,m,d,f,s,c);break;case 35866:case 32879:e.gl.copyTexSubImage3D(v,r,p,m,h,d,f,s,c)}_&&_._unbind(),e.gl.bindFramebuffer(36160,g),u&&l.destroy()}function Hx(e){if(e instanceof me){let{width:t,height:n,id:r}=e;return{framebuffer:e.device.createFramebuffer({id:`framebuffer-for-${r}`,width:t,height:n,colorAttachments:[e]}),destroyFramebuffer:!0}}return{framebuffer:e,destroyFramebuffer:!1}}function Ux(e){switch(e){case`point-list`:return 0;case`line-list`:return 1;case`line-strip`:return 3;case`triangle-list`:return 4;case`triangle-strip`:return 5;default:throw Error(e)}}function Wx(e){switch(e){case`point-list`:return 0;case`line-list`:return 1;case`line-strip`:return 1;case`triangle-list`:return 4;case`triangle-strip`:return 4;default:throw Error(e)}}var Gx=[1,2,4,8],Kx=class extends kl{device;handle=null;glParameters={};pipeline=null;bindings={};bindingsPipeline=null;vertexArray=null;constructor(e,t){super(e,t),this.device=e;let n=this.props.framebuffer,r=!n||n.handle===null;r&&e.getDefaultCanvasContext()._resizeDrawingBufferIfNeeded();let i;if(!t?.parameters?.viewport){if(!r&&n){let{width:e,height:t}=n;i=[0,0,e,t]}else{let[t,n]=e.getDefaultCanvasContext().getDrawingBufferSize();i=[0,0,t,n]}}if(this.device.pushState(),this.setParameters({viewport:i,...this.props.parameters}),!r&&n?.colorAttachments.length){let e=n.colorAttachments.map((e,t)=>36064+t);this.device.gl.drawBuffers(e)}else r&&this.device.gl.drawBuffers([1029]);this.clear(),this.props.timestampQuerySet&&this.props.beginTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.beginTimestampIndex)}end(){this.destroyed||(this.props.timestampQuerySet&&this.props.endTimestampIndex!==void 0&&this.props.timestampQuerySet.writeTimestamp(this.props.endTimestampIndex),this.device.popState(),this.destroy())}pushDebugGroup(e){}popDebugGroup(){}insertDebugMarker(e){}executeBundles(e){throw Error(`Render bundles are only supported in WebGPU`)}setParameters(e={}){let t={...this.glParameters};t.framebuffer=this.props.framebuffer||null,this.props.depthReadOnly&&(t.depthMask=!this.props.depthReadOnly),t.stencilMask=+!this.props.stencilReadOnly,t[35977]=this.props.discard,e.viewport&&(e.viewport.length>=6?(t.viewport=e.viewport.slice(0,4),t.depthRange=[e.viewport[4],e.viewport[5]]):t.viewport=e.viewport),e.scissorRect&&(t.scissorTest=!0,t.scissor=e.scissorRect),e.blendConstant&&(t.blendColor=e.blendConstant),e.stencilReference!==void 0&&(t[2967]=e.stencilReference,t[36003]=e.stencilReference),`colorMask`in e&&(t.colorMask=Gx.map(t=>!!(t&e.colorMask))),this.glParameters=t,Ty(this.device.gl,t)}setPipeline(e){this.pipeline=e}setBindings(e,t){if(!this.pipeline)throw Error(`RenderPass.setPipeline() must be called before setBindings()`);this.bindings=le(ve(this.pipeline.shaderLayout,e)),this.bindingsPipeline=this.pipeline}setVertexArray(e){this.vertexArray=e}draw(e){let t=this.pipeline,n=this.vertexArray;if(!t)throw Error(`RenderPass.setPipeline() must be called before draw()`);if(!n)throw Error(`RenderPass.setVertexArray() must be called before draw()`);if(t.shaderLayout.bindings.length>0&&this.bindingsPipeline!==t)throw Error(`RenderPass.setBindings() must be called after setPipeline() before draw()`);t._syncLinkStatus();let{parameters:r=t.props.parameters,topology:a=t.props.topology,vertexCount:o,indexCount:s,instanceCount:c,isInstanced:l=!1,firstVertex:u=0,transformFeedback:d,uniforms:f=t.uniforms}=e,p=Ux(a),m=!!n.indexBuffer,h=n.indexBuffer?.glIndexType,g=s??o??0;if(t.linkStatus!==`success`)return i.info(2,`RenderPipeline:${t.id}.draw() aborted - waiting for shader linking`)(),!1;if(!t._areTexturesRenderable(this.bindings))return i.info(2,`RenderPipeline:${t.id}.draw() aborted - textures not yet loaded`)(),!1;this.device.gl.useProgram(t.handle),n.bindBeforeRender(this);let _=d;return _&&_.begin(t.props.topology),t._applyBindings(this.bindings,{disableWarnings:t.props.disableWarnings}),t._applyUniforms(f),Ib(this.device,r,this.glParameters,()=>{m&&l?this.device.gl.drawElementsInstanced(p,g,h,u,c||0):m?this.device.gl.drawElements(p,g,h,u):l?this.device.gl.drawArraysInstanced(p,u,o||0,c||0):this.device.gl.drawArrays(p,u,o||0),_&&_.end()}),n.unbindAfterRender(this),!0}drawIndirect(e,t=0){throw Error(`Indirect drawing is only supported in WebGPU`)}drawIndexedIndirect(e,t=0){throw Error(`Indirect drawing is only supported in WebGPU`)}beginOcclusionQuery(e){this.props.occlusionQuerySet?.beginOcclusionQuery()}endOcclusionQuery(){this.props.occlusionQuerySet?.endOcclusionQuery()}clear(){let e={...this.glParameters},t=0;this.props.clearColors&&this.props.clearColors.forEach((e,t)=>{e&&this.clearColorBuffer(t,e)}),this.props.clearColor!==!1&&this.props.clearColors===void 0&&(t|=16384,e.clearColor=this.props.clearColor),this.props.clearDepth!==!1&&(t|=256,e.clearDepth=this.props.clearDepth),this.props.clearStencil!==!1&&(t|=1024,e.clearStencil=this.props.clearStencil),t!==0&&Zb(this.device.gl,e,()=>{this.device.gl.clear(t)})}clearColorBuffer(e=0,t=[0,0,0,0]){Zb(this.device.gl,{framebuffer:this.props.framebuffer},()=>{switch(t.constructor){case Int8Array:case Int16Array:case Int32Array:this.device.gl.clearBufferiv(6144,e,t);break;case Uint8Array:case Uint8ClampedArray:case Uint16Array:case Uint32Array:this.device.gl.clearBufferuiv(6144,e,t);break;case Float32Array:this.device.gl.clearBufferfv(6144,e,t);break;default:throw Error(`clearColorBuffer: color must be typed array`)}})}},qx=class extends Al{device;handle=null;commandBuffer;constructor(e,t){super(e,t),this.device=e,this.commandBuffer=new Lx(e,{id:this.id,userData:this.userData})}destroy(){this.destroyResource()}finish(){return this.destroy(),this.commandBuffer}beginRenderPass(e={}){return new Kx(this.device,this._applyTimeProfilingToPassProps(e))}beginComputePass(e={}){throw Error(`ComputePass not supported in WebGL`)}copyBufferToBuffer(e){this.commandBuffer.commands.push({name:`copy-buffer-to-buffer`,options:e})}copyBufferToTexture(e){this.commandBuffer.commands.push({name:`copy-buffer-to-texture`,options:e})}copyTextureToBuffer(e){this.commandBuffer.commands.push({name:`copy-texture-to-buffer`,options:e})}copyTextureToTexture(e){this.commandBuffer.commands.push({name:`copy-texture-to-texture`,options:e})}pushDebugGroup(e){}popDebugGroup(){}insertDebugMarker(e){}resolveQuerySet(e,t,n){throw Error(`resolveQuerySet is not supported in WebGL`)}writeTimestamp(e,t){e.writeTimestamp(t)}};function Jx(e){let{target:t,source:n,start:r=0,count:i=1}=e,a=n.length,o=i*a,s=0;for(let e=r;s<a;s++)t[e++]=n[s]??0;for(;s<o;)s<o-s?(t.copyWithin(r+s,r,r+s),s*=2):(t.copyWithin(r+s,r,r+o-s),s=o);return e.target}var Yx=class e extends Ml{get[Symbol.toStringTag](){return`VertexArray`}device;handle;attributeInfosByLocation;buffer=null;bufferValue=null;static isConstantAttributeZeroSupported(e){return sa()===`Chrome`}constructor(e,t){super(e,t),this.device=e,this.handle=this.device.gl.createVertexArray(),this.attributeInfosByLocation=Array(this.maxVertexAttributes).fill(null);for(let e of Object.values(ye(t.shaderLayout,t.bufferLayout)))this.attributeInfosByLocation[e.location]=e}destroy(){super.destroy(),this.buffer&&this.buffer?.destroy(),this.handle&&=(this.device.gl.deleteVertexArray(this.handle),void 0)}setIndexBuffer(e){let t=e;if(t&&t.glTarget!==34963)throw Error(`Use .setBuffer()`);this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34963,t?t.handle:null),this.indexBuffer=t,this.device.gl.bindVertexArray(null)}setBuffer(e,t){let n=t;if(n.glTarget===34963)throw Error(`Use .setIndexBuffer()`);let{size:r,type:i,stride:a,offset:o,normalized:s,integer:c,divisor:l}=this._getAccessor(e);this.device.gl.bindVertexArray(this.handle),this.device.gl.bindBuffer(34962,n.handle),c?this.device.gl.vertexAttribIPointer(e,r,i,a,o):this.device.gl.vertexAttribPointer(e,r,i,s,a,o),this.device.gl.bindBuffer(34962,null),this.device.gl.enableVertexAttribArray(e),this.device.gl.vertexAttribDivisor(e,l||0),this.attributes[e]=n,this.device.gl.bindVertexArray(null)}setConstantWebGL(e,t){this._enable(e,!1),this.attributes[e]=t}bindBeforeRender(){this.device.gl.bindVertexArray(this.handle),this._applyConstantAttributes()}unbindAfterRender(){this.device.gl.bindVertexArray(null)}_applyConstantAttributes(){for(let e=0;e<this.maxVertexAttributes;++e){let t=this.attributes[e];ArrayBuffer.isView(t)&&this.device.setConstantAttributeWebGL(e,t)}}_getAccessor(e){let t=this.attributeInfosByLocation[e];if(!t)throw Error(`Unknown attribute location ${e}`);let n=Uy(t.bufferDataType);return{size:t.bufferComponents,type:n,stride:t.byteStride,offset:t.byteOffset,normalized:t.normalized,integer:t.integer,divisor:+(t.stepMode===`instance`)}}_enable(t,n=!0){let r=e.isConstantAttributeZeroSupported(this.device)||t!==0;(n||r)&&(t=Number(t),this.device.gl.bindVertexArray(this.handle),n?this.device.gl.enableVertexAttribArray(t):this.device.gl.disableVertexAttribArray(t),this.device.gl.bindVertexArray(null))}getConstantBuffer(e,t){let n=Xx(t),r=n.byteLength*e,i=n.length*e;if(this.buffer&&r!==this.buffer.byteLength)throw Error(`Buffer size is immutable, byte length ${r} !== ${this.buffer.byteLength}.`);let a=!this.buffer;if(this.buffer=this.buffer||this.device.createBuffer({byteLength:r}),a||=!Zx(n,this.bufferValue),a){let e=f(t.constructor,i);Jx({target:e,source:n,start:0,count:i}),this.buffer.write(e),this.bufferValue=t}return this.buffer}};function Xx(e){return Array.isArray(e)?new Float32Array(e):e}function Zx(e,t){if(!e||!t||e.length!==t.length||e.constructor!==t.constructor)return!1;for(let n=0;n<e.length;++n)if(e[n]!==t[n])return!1;return!0}var Qx=class extends Nl{device;gl;handle;layout;buffers={};unusedBuffers={};bindOnUse=!0;_bound=!1;constructor(e,t){super(e,t),this.device=e,this.gl=e.gl,this.handle=this.props.handle||this.gl.createTransformFeedback(),this.layout=this.props.layout,t.buffers&&this.setBuffers(t.buffers),Object.seal(this)}destroy(){this.gl.deleteTransformFeedback(this.handle),super.destroy()}begin(e=`point-list`){this.gl.bindTransformFeedback(36386,this.handle),this.bindOnUse&&this._bindBuffers(),this.gl.beginTransformFeedback(Wx(e))}end(){this.gl.endTransformFeedback(),this.bindOnUse&&this._unbindBuffers(),this.gl.bindTransformFeedback(36386,null)}setBuffers(e){this.buffers={},this.unusedBuffers={},this.bind(()=>{for(let[t,n]of Object.entries(e))this.setBuffer(t,n)})}setBuffer(e,t){let n=this._getVaryingIndex(e),{buffer:r,byteLength:a,byteOffset:o}=this._getBufferRange(t);n<0?(this.unusedBuffers[e]=r,i.warn(`${this.id} unusedBuffers varying buffer ${e}`)()):(this.buffers[n]={buffer:r,byteLength:a,byteOffset:o},this.bindOnUse||this._bindBuffer(n,r,o,a))}getBuffer(e){if($x(e))return this.buffers[e]||null;let t=this._getVaryingIndex(e);return this.buffers[t]??null}bind(e=this.handle){if(typeof e!=`function`)return this.gl.bindTransformFeedback(36386,e),this;let t;return this._bound?t=e():(this.gl.bindTransformFeedback(36386,this.handle),this._bound=!0,t=e(),this._bound=!1,this.gl.bindTransformFeedback(36386,null)),t}unbind(){this.bind(null)}_getBufferRange(e){if(e instanceof kb)return{buffer:e,byteOffset:0,byteLength:e.byteLength};let{buffer:t,byteOffset:n=0,byteLength:r=e.buffer.byteLength}=e;return{buffer:t,byteOffset:n,byteLength:r}}_getVaryingIndex(e){if($x(e))return Number(e);for(let t of this.layout.varyings||[])if(e===t.name)return t.location;return-1}_bindBuffers(){for(let[e,t]of Object.entries(this.buffers)){let{buffer:n,byteLength:r,byteOffset:i}=this._getBufferRange(t);this._bindBuffer(Number(e),n,i,r)}}_unbindBuffers(){for(let e in this.buffers)this.gl.bindBufferBase(35982,Number(e),null)}_bindBuffer(e,t,n=0,r){let i=t&&t.handle;!i||r===void 0?this.gl.bindBufferBase(35982,e,i):this.gl.bindBufferRange(35982,e,i,n,r)}};function $x(e){return typeof e==`number`?Number.isInteger(e):/^\d+$/.test(e)}var eS=class extends Pl{device;handle;_timestampPairs=[];_pendingReads=new Set;_occlusionQuery=null;_occlusionActive=!1;get[Symbol.toStringTag](){return`QuerySet`}constructor(e,t){if(super(e,t),this.device=e,t.type===`timestamp`){if(t.count<2)throw Error(`Timestamp QuerySet requires at least two query slots`);this._timestampPairs=Array(Math.ceil(t.count/2)).fill(null).map(()=>({activeQuery:null,completedQueries:[]})),this.handle=null}else{if(t.count>1)throw Error(`WebGL occlusion QuerySet can only have one value`);let e=this.device.gl.createQuery();if(!e)throw Error(`WebGL query not supported`);this.handle=e}Object.seal(this)}destroy(){if(!this.destroyed){this.handle&&this.device.gl.deleteQuery(this.handle);for(let e of this._timestampPairs){e.activeQuery&&(this._cancelPendingQuery(e.activeQuery),this.device.gl.deleteQuery(e.activeQuery.handle));for(let t of e.completedQueries)this._cancelPendingQuery(t),this.device.gl.deleteQuery(t.handle)}this._occlusionQuery&&(this._cancelPendingQuery(this._occlusionQuery),this.device.gl.deleteQuery(this._occlusionQuery.handle));for(let e of Array.from(this._pendingReads))this._cancelPendingQuery(e);this.destroyResource()}}isResultAvailable(e){return this.props.type===`timestamp`?e===void 0?this._timestampPairs.some((e,t)=>this._isTimestampPairAvailable(t)):this._isTimestampPairAvailable(this._getTimestampPairIndex(e)):this._occlusionQuery?this._pollQueryAvailability(this._occlusionQuery):!1}async readResults(e){let t=e?.firstQuery||0,n=e?.queryCount||this.props.count-t;if(this._validateRange(t,n),this.props.type===`timestamp`){let e=Array(n).fill(0n),r=Math.floor(t/2),i=Math.floor((t+n-1)/2);for(let a=r;a<=i;a++){let r=await this._consumeTimestampPairResult(a),i=a*2,o=i+1;i>=t&&i<t+n&&(e[i-t]=0n),o>=t&&o<t+n&&(e[o-t]=r)}return e}if(!this._occlusionQuery)throw Error(`Occlusion query has not been started`);return[await this._consumeQueryResult(this._occlusionQuery)]}async readTimestampDuration(e,t){if(this.props.type!==`timestamp`)throw Error(`Timestamp durations require a timestamp QuerySet`);if(e<0||t>=this.props.count||t<=e)throw Error(`Timestamp duration range is out of bounds`);if(e%2!=0||t!==e+1)throw Error(`WebGL timestamp durations require adjacent even/odd query indices`);let n=await this._consumeTimestampPairResult(this._getTimestampPairIndex(e));return Number(n)/1e6}beginOcclusionQuery(){if(this.props.type!==`occlusion`)throw Error(`Occlusion queries require an occlusion QuerySet`);if(!this.handle)throw Error(`WebGL occlusion query is not available`);if(this._occlusionActive)throw Error(`Occlusion query is already active`);this.device.gl.beginQuery(35887,this.handle),this._occlusionQuery={handle:this.handle,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null},this._occlusionActive=!0}endOcclusionQuery(){if(!this._occlusionActive)throw Error(`Occlusion query is not active`);this.device.gl.endQuery(35887),this._occlusionActive=!1}writeTimestamp(e){if(this.props.type!==`timestamp`)throw Error(`Timestamp writes require a timestamp QuerySet`);let t=this._getTimestampPairIndex(e),n=this._timestampPairs[t];if(e%2==0){if(n.activeQuery)throw Error(`Timestamp query pair is already active`);let e=this.device.gl.createQuery();if(!e)throw Error(`WebGL query not supported`);let t={handle:e,promise:null,result:null,disjoint:!1,cancelled:!1,pollRequestId:null,resolve:null,reject:null};this.device.gl.beginQuery(35007,e),n.activeQuery=t}else{if(!n.activeQuery)throw Error(`Timestamp query pair was ended before it was started`);this.device.gl.endQuery(35007),n.completedQueries.push(n.activeQuery),n.activeQuery=null}}_validateRange(e,t){if(e<0||t<0||e+t>this.props.count)throw Error(`Query read range is out of bounds`)}_getTimestampPairIndex(e){if(e<0||e>=this.props.count)throw Error(`Query index is out of bounds`);return Math.floor(e/2)}_isTimestampPairAvailable(e){let t=this._timestampPairs[e];return!t||t.completedQueries.length===0?!1:this._pollQueryAvailability(t.completedQueries[0])}_pollQueryAvailability(e){if(e.cancelled||this.destroyed)return e.result=0n,!0;if(e.result!==null||e.disjoint)return!0;if(!this.device.gl.getQueryParameter(e.handle,34919))return!1;let t=!!this.device.gl.getParameter(36795);return e.disjoint=t,e.result=t?0n:BigInt(this.device.gl.getQueryParameter(e.handle,34918)),!0}async _consumeTimestampPairResult(e){let t=this._timestampPairs[e];if(!t||t.completedQueries.length===0)throw Error(`Timestamp query pair has no completed result`);let n=t.completedQueries.shift();try{return await this._consumeQueryResult(n)}finally{this.device.gl.deleteQuery(n.handle)}}_consumeQueryResult(e){return e.promise||=(this._pendingReads.add(e),new Promise((t,n)=>{e.resolve=t,e.reject=n;let r=()=>{e.pollRequestId=null,e.cancelled||this.destroyed?(this._pendingReads.delete(e),e.promise=null,e.resolve=null,e.reject=null,t(0n)):this._pollQueryAvailability(e)?(this._pendingReads.delete(e),e.promise=null,e.resolve=null,e.reject=null,e.disjoint?n(Error(`GPU timestamp query was invalidated by a disjoint event`)):t(e.result||0n)):e.pollRequestId=this._requestAnimationFrame(r)};r()})),e.promise}_cancelPendingQuery(e){if(this._pendingReads.delete(e),e.cancelled=!0,e.pollRequestId!==null&&(this._cancelAnimationFrame(e.pollRequestId),e.pollRequestId=null),e.resolve){let t=e.resolve;e.promise=null,e.resolve=null,e.reject=null,t(0n)}}_requestAnimationFrame(e){return requestAnimationFrame(e)}_cancelAnimationFrame(e){cancelAnimationFrame(e)}},tS=class extends Fl{device;gl;handle;signaled;_signaled=!1;constructor(e,t={}){super(e,{}),this.device=e,this.gl=e.gl;let n=this.props.handle||this.gl.fenceSync(this.gl.SYNC_GPU_COMMANDS_COMPLETE,0);if(!n)throw Error(`Failed to create WebGL fence`);this.handle=n,this.signaled=new Promise(e=>{let t=()=>{let n=this.gl.clientWaitSync(this.handle,0,0);n===this.gl.ALREADY_SIGNALED||n===this.gl.CONDITION_SATISFIED?(this._signaled=!0,e()):setTimeout(t,1)};t()})}isSignaled(){if(this._signaled)return!0;let e=this.gl.getSyncParameter(this.handle,this.gl.SYNC_STATUS);return this._signaled=e===this.gl.SIGNALED,this._signaled}destroy(){this.destroyed||this.gl.deleteSync(this.handle)}};function nS(e){switch(e){case 6406:case 33326:case 6403:case 36244:return 1;case 33339:case 33340:case 33328:case 33320:case 33319:return 2;case 6407:case 36248:case 34837:return 3;case 6408:case 36249:case 34836:return 4;default:return 0}}function rS(e){switch(e){case 5121:return 1;case 33635:case 32819:case 32820:return 2;case 5126:return 4;default:return 0}}function iS(e,t){let{sourceX:n=0,sourceY:r=0,sourceAttachment:i=0}=t||{},{target:a=null,sourceWidth:o,sourceHeight:s,sourceDepth:c,sourceFormat:l,sourceType:u}=t||{},{framebuffer:f,deleteFramebuffer:p}=oS(e),{gl:m,handle:h}=f;o||=f.width,s||=f.height;let g=f.colorAttachments[i]?.texture;if(!g)throw Error(`Invalid framebuffer attachment ${i}`);c=g?.depth||1,l||=g?.glFormat||6408,u||=g?.glType||5121,a=cS(a,u,l,o,s,c);let _=d.getDataType(a);u||=cx(_);let v=m.bindFramebuffer(36160,h);return m.readBuffer(36064+i),m.readPixels(n,r,o,s,l,u,a),m.readBuffer(36064),m.bindFramebuffer(36160,v||null),p&&f.destroy(),a}function aS(e,t){let{target:n,sourceX:r=0,sourceY:i=0,sourceFormat:a=6408,targetByteOffset:o=0}=t||{},{sourceWidth:s,sourceHeight:c,sourceType:l}=t||{},{framebuffer:u,deleteFramebuffer:d}=oS(e);s||=u.width,c||=u.height;let f=u;l||=5121;let p=n;if(!p){let e=nS(a),t=rS(l),n=o+s*c*e*t;p=f.device.createBuffer({byteLength:n})}let m=e.device.createCommandEncoder();return m.copyTextureToBuffer({sourceTexture:e,width:s,height:c,origin:[r,i],destinationBuffer:p,byteOffset:o}),m.destroy(),d&&u.destroy(),p}function oS(e){return e instanceof Dl?{framebuffer:e,deleteFramebuffer:!1}:{framebuffer:sS(e),deleteFramebuffer:!0}}function sS(e,t){let{device:n,width:r,height:i,id:a}=e;return n.createFramebuffer({...t,id:`framebuffer-for-${a}`,width:r,height:i,colorAttachments:[e]})}function cS(e,t,n,r,i,a){if(e)return e;t||=5121;let o=ex(t),s=d.getTypedArrayConstructor(o),c=nS(n);return new s(r*i*c)}function lS(e){let t=new Map;for(let n in e){let r=e[n];if(n<`a`){let e=t.get(r);t.set(r,e?`${e}, GL.${n}`:`GL.${n}`)}}return t}var uS=Ee({WebGLDevice:()=>dS}),dS=class e extends ml{static getDeviceFromContext(e){return e?e.luma?.device??null:null}type=`webgl`;handle;features;limits;info;canvasContext;preferredColorFormat=`rgba8unorm`;preferredDepthFormat=`depth24plus`;commandEncoder;lost;_resolveContextLost;_isLost=!1;gl;_glKeyByValue=null;_constants;extensions;_polyfilled=!1;spectorJS;get[Symbol.toStringTag](){return`WebGLDevice`}toString(){return`${this[Symbol.toStringTag]}(${this.id})`}isVertexFormatSupported(e){switch(e){case`unorm8x4-bgra`:return!1;default:return!0}}constructor(t){super({...t,id:t.id||Ob(`webgl-device`)});let n=ml._getCanvasContextProps(t);if(!n)throw Error(`WebGLDevice requires props.createCanvasContext to be set`);let r=n.canvas?.gl??null,a=e.getDeviceFromContext(r);if(a)throw Error(`WebGL context already attached to device ${a.id}`);this.canvasContext=new Tb(this,n),this.lost=new Promise(e=>{this._resolveContextLost=e});let o={...t.webgl};n.alphaMode===`premultiplied`&&(o.premultipliedAlpha=!0),t.powerPreference!==void 0&&(o.powerPreference=t.powerPreference),t.failIfMajorPerformanceCaveat!==void 0&&(o.failIfMajorPerformanceCaveat=t.failIfMajorPerformanceCaveat);let s=this.props._handle||Iy(this.canvasContext.canvas,{onContextLost:e=>this._resolveContextLost?.({reason:`destroyed`,message:`Entered sleep mode, or too many apps or browser tabs are using the GPU.`}),onContextRestored:e=>{console.log(`WebGL context restored`)}},o);if(!s)throw Error(`WebGL context creation failed`);if(a=e.getDeviceFromContext(s),a){if(t._reuseDevices)return i.log(1,`Not creating a new Device, instead returning a reference to Device ${a.id} already attached to WebGL context`,a)(),this.canvasContext.destroy(),a._reused=!0,a;throw Error(`WebGL context already attached to device ${a.id}`)}this.handle=s,this.gl=s,this.spectorJS=Zv({...this.props,gl:this.handle});let c=Fy(this.handle);c.device=this,c.extensions||={},this.extensions=c.extensions,this.info=Ry(this.gl,this.extensions),this.limits=new xb(this.gl),this.features=new bb(this.gl,this.extensions,this.props._disabledFeatures),this.props._initializeFeatures&&this.features.initializeFeatures(),new jy(this.gl,{log:(...e)=>i.log(1,...e)()}).trackState(this.gl,{copyState:!1}),(t.debug||t.debugWebGL)&&(this.gl=Yv(this.gl,{debugWebGL:!0,traceWebGL:t.debugWebGL}),i.warn(`WebGL debug mode activated. Performance reduced.`)()),t.debugWebGL&&(i.level=Math.max(i.level,1)),this.commandEncoder=new qx(this,{id:`${this}-command-encoder`}),this.canvasContext._startObservers()}destroy(){if(!this.props._reuseDevices&&!this._reused){this._isLost=!0,this.commandEncoder?.destroy();let e=Fy(this.handle);e.device=null}}get isLost(){return this._isLost||this.gl.isContextLost()}createCanvasContext(e){throw Error(`WebGL only supports a single canvas`)}createPresentationContext(e){return new Eb(this,e||{})}createBuffer(e){let t=this._normalizeBufferProps(e);return new kb(this,t)}createTexture(e){return new nx(this,e)}createExternalTexture(e){throw Error(`ExternalTexture is not available on WebGL`)}createSampler(e){return new Xb(this,e)}createShader(e){return new Pb(this,e)}createFramebuffer(e){return new Sb(this,e)}createVertexArray(e){return new Yx(this,e)}createTransformFeedback(e){return new Qx(this,e)}createQuerySet(e){return new eS(this,e)}createFence(){return new tS(this)}createRenderPipeline(e){return new jx(this,e)}_createSharedRenderPipelineWebGL(e){return new Ix(this,e)}createComputePipeline(e){throw Error(`ComputePipeline not supported in WebGL`)}createRenderBundleEncoder(e){throw Error(`Render bundles are only supported in WebGPU`)}createCommandEncoder(e={}){return new qx(this,e)}submit(e){let t=null;e||({submittedCommandEncoder:t,commandBuffer:e}=this._finalizeDefaultCommandEncoderForSubmit());try{e._executeCommands(),t&&t.resolveTimeProfilingQuerySet().then(()=>{this.commandEncoder._gpuTimeMs=t._gpuTimeMs}).catch(()=>{})}finally{e.destroy()}}writeBufferViaCommandEncoder(e,t,n,r=0){t.write(n,r)}_finalizeDefaultCommandEncoderForSubmit(){let e=this.commandEncoder,t=e.finish();return this.commandEncoder.destroy(),this.commandEncoder=this.createCommandEncoder({id:e.props.id,timeProfilingQuerySet:e.getTimeProfilingQuerySet()}),{submittedCommandEncoder:e,commandBuffer:t}}readPixelsToArrayWebGL(e,t){return iS(e,t)}readPixelsToBufferWebGL(e,t){return aS(e,t)}setParametersWebGL(e){Ty(this.gl,e)}getParametersWebGL(e){return Ey(this.gl,e)}withParametersWebGL(e,t){return Zb(this.gl,e,t)}resetWebGL(){i.warn(`WebGLDevice.resetWebGL is deprecated, use only for debugging`)(),Dy(this.gl)}_getDeviceSpecificTextureFormatCapabilities(e){return pb(this.gl,e,this.extensions)}loseDevice(){let e=!1,t=this.getExtension(`WEBGL_lose_context`).WEBGL_lose_context;return t&&(e=!0,t.loseContext()),this._resolveContextLost?.({reason:`destroyed`,message:`Application triggered context loss`}),e}pushState(){jy.get(this.gl).push()}popState(){jy.get(this.gl).pop()}getGLKey(e,t){return this._getGLKeyByValue().get(Number(e))||(t?.emptyIfUnknown?``:String(e))}getGLKeys(e){let t={emptyIfUnknown:!0};return Object.entries(e).reduce((e,[n,r])=>(e[`${n}:${this.getGLKey(n,t)}`]=`${r}:${this.getGLKey(r,t)}`,e),{})}_getGLKeyByValue(){return this._glKeyByValue??=lS(this.gl),this._glKeyByValue}setConstantAttributeWebGL(e,t){let n=this.limits.maxVertexAttributes;this._constants=this._constants||Array(n).fill(null);let r=this._constants[e];switch(r&&hS(r,t)&&i.info(1,`setConstantAttributeWebGL(${e}) could have been skipped, value unchanged`)(),this._constants[e]=t,t.constructor){case Float32Array:fS(this,e,t);break;case Int32Array:pS(this,e,t);break;case Uint32Array:mS(this,e,t);break;default:throw Error(`constant`)}}getExtension(e){return Ly(this.gl,e,this.extensions),this.extensions}_setWebGLDebugMetadata(e,t,n){e.luma=t,e.__SPECTOR_Metadata={props:n.spector,id:n.spector.id}}};function fS(e,t,n){switch(n.length){case 1:e.gl.vertexAttrib1fv(t,n);break;case 2:e.gl.vertexAttrib2fv(t,n);break;case 3:e.gl.vertexAttrib3fv(t,n);break;case 4:e.gl.vertexAttrib4fv(t,n)}}function pS(e,t,n){e.gl.vertexAttribI4iv(t,n)}function mS(e,t,n){e.gl.vertexAttribI4uiv(t,n)}function hS(e,t){if(!e||!t||e.length!==t.length||e.constructor!==t.constructor)return!1;for(let n=0;n<e.length;++n)if(e[n]!==t[n])return!1;return!0}function gS(){}var _S={id:``,width:`100%`,height:`100%`,style:null,viewState:null,initialViewState:null,pickingRadius:0,pickAsync:`auto`,layerFilter:null,parameters:{},parent:null,device:null,deviceProps:{},gl:null,canvas:null,_canvases:null,layers:[],effects:[],views:null,controller:null,useDevicePixels:!0,touchAction:`none`,eventRecognizerOptions:{},_framebuffer:null,_animate:!1,_pickable:!0,_typedArrayManagerProps:{},_customRender:null,widgets:[],onDeviceInitialized:gS,onWebGLInitialized:gS,onResize:gS,onViewStateChange:gS,onInteractionStateChange:gS,onBeforeRender:gS,onAfterRender:gS,onLoad:gS,onError:e=>K.error(e.message,e.cause)(),onHover:null,onClick:null,onDragStart:null,onDrag:null,onDragEnd:null,_onMetrics:null,getCursor:({isDragging:e})=>e?`grabbing`:`grab`,getTooltip:null,debug:!1,drawPickingColors:!1},vS=class{constructor(e){this.width=0,this.height=0,this.userData={},this.device=null,this.canvas=null,this.viewManager=null,this.layerManager=null,this.effectManager=null,this.deckRenderer=null,this.deckPicker=null,this.eventManager=null,this.eventManagers={},this.widgetManager=null,this.tooltip=null,this.animationLoop=null,this._canvasContext=null,this._deviceResizeHandler=null,this.cursorState={isHovering:!1,isDragging:!1},this.stats=new so({id:`deck.gl`}),this.metrics={fps:0,setPropsTime:0,layersCount:0,drawLayersCount:0,updateLayersCount:0,updateAttributesCount:0,updateAttributesTime:0,framesRedrawn:0,pickTime:0,pickCount:0,pickLayersCount:0,gpuTime:0,gpuTimePerFrame:0,cpuTime:0,cpuTimePerFrame:0,bufferMemory:0,textureMemory:0,renderbufferMemory:0,gpuMemory:0},this._metricsCounter=0,this._hoverPickSequence=0,this._pointerDownPickSequence=0,this._needsRedraw=`Initial render`,this._canvasManager=new zv({createEventManager:e=>this._createEventManager(e),getEventRoot:e=>this._getEventRoot(e)}),this._ownedCanvas=null,this._pickRequest={mode:`hover`,x:-1,y:-1,radius:0,canvasId:void 0,event:null,unproject3D:!1},this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=null,this._onPointerMove=e=>{let{_pickRequest:t}=this,n=this._getCanvasIdFromEvent(e);if(e.type===`pointerleave`)t.x=-1,t.y=-1,t.radius=0,t.canvasId=n;else if(e.leftButton||e.rightButton)return;else{let r=e.offsetCenter;if(!r)return;t.x=r.x,t.y=r.y,t.radius=this.props.pickingRadius,t.canvasId=n}this.layerManager&&(this.layerManager.context.mousePosition={x:t.x,y:t.y}),t.event=e},this._onEvent=e=>{let t=Bp[e.type],n=e.offsetCenter,r=this._getCanvasIdFromEvent(e);if(!t||!n||!this.layerManager)return;let i=this.layerManager.getLayers(),a=this._getInternalPickingMode();if(a){if(a===`sync`){let t=e.type===`click`&&this._shouldUnproject3D(i)?this._getFirstPickedInfo(this._pickPointSync(this._getPointPickOptions(n.x,n.y,{unproject3D:!0,canvasId:r},i))):this._getLastPointerDownPickingInfo(n.x,n.y,r,i);this._dispatchPickingEvent(t,e)}else(this._lastPointerDownInfoPromise||Promise.resolve(this._getLastPointerDownPickingInfo(n.x,n.y,r,i))).then(t=>{this._dispatchPickingEvent(t,e)}).catch(e=>this.props.onError?.(e))}},this._onPointerDown=e=>{let t=e.offsetCenter,n=this._getCanvasIdFromEvent(e);if(!t)return;let r=this._getInternalPickingMode();if(!r)return;let i=this.layerManager?.getLayers()||[],a=++this._pointerDownPickSequence;if(r===`sync`){let e=this._pickPointSync({x:t.x,y:t.y,canvasId:n,radius:this.props.pickingRadius}),r=this._getFirstPickedInfo(e);this._lastPointerDownInfo=r,this._lastPointerDownInfoPromise=Promise.resolve(r);return}let o=this._pickPointAsync(this._getPointPickOptions(t.x,t.y,{canvasId:n},i)).then(e=>this._getFirstPickedInfo(e)).then(e=>(a===this._pointerDownPickSequence&&(this._lastPointerDownInfo=e),e)).catch(e=>{this.props.onError?.(e);let r=this.deckPicker&&this.viewManager?this._getLastPointerDownPickingInfo(t.x,t.y,n,i):{};return a===this._pointerDownPickSequence&&(this._lastPointerDownInfo=r),r});this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=o};let t=e;this.props={..._S,...e},e=this.props,this._validateCanvasConfiguration(e),e.viewState&&e.initialViewState&&K.warn("View state tracking is disabled. Use either `initialViewState` for auto update or `viewState` for manual update.")(),this.viewState=this.props.initialViewState,e.device&&(this.device=e.device,this._setDeviceCanvasContext(e.device));let n=this.device;!n&&e.gl&&(e.gl instanceof WebGLRenderingContext&&K.error(`WebGL1 context not supported.`)(),n=cy.attach(e.gl,{_cacheShaders:!0,_cachePipelines:!0,...this.props.deviceProps})),n||=this._createDevice(e),this.animationLoop=this._createAnimationLoop(n,e),this.setProps(t),e._typedArrayManagerProps&&Ah.setOptions(e._typedArrayManagerProps),this.animationLoop.start()}finalize(){this._restoreDeviceResizeHandler(),this.animationLoop?.stop(),this.animationLoop?.destroy(),this.animationLoop=null,this._hoverPickSequence++,this._pointerDownPickSequence++,this._lastPointerDownInfo=null,this._lastPointerDownInfoPromise=null,this.layerManager?.finalize(),this.layerManager=null,this.viewManager?.finalize(),this.viewManager=null,this.effectManager?.finalize(),this.effectManager=null,this.deckRenderer?.finalize(),this.deckRenderer=null,this.deckPicker?.finalize(),this.deckPicker=null,Object.keys(this._canvasManager.targets).length||this.eventManager?.destroy(),this.eventManager=null,this.eventManagers={},this.widgetManager?.finalize(),this.widgetManager=null,this._canvasManager.finalize(),this._isMultiCanvasMode()?this.canvas=null:this.canvas&&this.canvas===this._ownedCanvas&&(this.canvas.parentElement?.removeChild(this.canvas),this.canvas=null,this._ownedCanvas=null),this._canvasContext=null}setProps(e){this.stats.get(`setProps Time`).timeStart(),`onLayerHover`in e&&K.removed(`onLayerHover`,`onHover`)(),`onLayerClick`in e&&K.removed(`onLayerClick`,`onClick`)(),e.initialViewState&&!b_(this.props.initialViewState,e.initialViewState,3)&&(this.viewState=e.initialViewState),U_(!(`_canvases`in e)||Array.isArray(e._canvases)===this._isMultiCanvasMode()),Object.assign(this.props,e),this._validateCanvasConfiguration(this.props),this._validateInternalPickingMode(),this.device&&this._isMultiCanvasMode()&&this._syncCanvasTargets(),this._setCanvasSize(this.props);let t=Object.create(this.props);if(Object.assign(t,{views:this._getViews(),width:this.width,height:this.height,viewState:this._getViewState(),eventManagers:this.eventManagers}),e.device&&e.device.id!==this.device?.id){let t=e.device.getDefaultCanvasContext();this.animationLoop?.stop(),!this._isMultiCanvasMode()&&this.canvas!==t.canvas&&(this.canvas?.remove(),this.eventManager?.destroy(),this.canvas=null),this._setDeviceCanvasContext(e.device),K.log(`recreating animation loop for new device! id=${e.device.id}`)(),this.animationLoop=this._createAnimationLoop(e.device,e),this.animationLoop.start()}if(this.animationLoop?.setProps(t),e.useDevicePixels!==void 0&&this._canvasContext?.setProps){this._canvasContext.setProps({useDevicePixels:e.useDevicePixels});for(let t of Object.values(this._canvasManager.targets))t.presentationContext.setProps({useDevicePixels:e.useDevicePixels})}this.layerManager&&(this.viewManager.setProps(t),this.layerManager.activateViewport(this.getViewports()[0]),this.layerManager.setProps(t),this.effectManager.setProps(t),this.deckRenderer.setProps(t),this.deckPicker.setProps(t),this.widgetManager.setProps(t)),this.stats.get(`setProps Time`).timeEnd()}needsRedraw(e={clearRedrawFlags:!1}){if(!this.layerManager)return!1;if(this.props._animate)return`Deck._animate`;let t=this._needsRedraw;e.clearRedrawFlags&&(this._needsRedraw=!1);let n=this.viewManager.needsRedraw(e),r=this.layerManager.needsRedraw(e),i=this.effectManager.needsRedraw(e),a=this.deckRenderer.needsRedraw(e);return t=t||n||r||i||a,t}redraw(e){if(!this.layerManager)return;let t=this.needsRedraw({clearRedrawFlags:!0});t=e||t,t&&(this.stats.get(`Redraw Count`).incrementCount(),this.props._customRender?this.props._customRender(t):this._drawLayers(t))}get isInitialized(){return this.viewManager!==null}getViews(){return U_(this.viewManager),this.viewManager.views}getView(e){return U_(this.viewManager),this.viewManager.getView(e)}getViewports(e){return U_(this.viewManager),this.viewManager.getViewports(e)}getCanvas(){return this.canvas}getCanvasContext(e){let t=e?this.viewManager?.getView(e)?.props.canvasId:void 0;return this._getCanvasContext(t)}getEventManager(e){if(!e||!this.viewManager)return this.eventManager;let t=this.viewManager.getCanvasId(e)||`default-canvas`;return this.eventManagers[t]||this.eventManager}async pickObjectAsync(e){let t=(await this._pickAsync(`pickObjectAsync`,`pickObject Time`,e)).result;return t.length?t[0]:null}async pickObjectsAsync(e){return await this._pickAsync(`pickObjectsAsync`,`pickObjects Time`,e)}pickObject(e){let t=this._pick(`pickObject`,`pickObject Time`,e).result;return t.length?t[0]:null}pickMultipleObjects(e){return e.depth=e.depth||10,this._pick(`pickObject`,`pickMultipleObjects Time`,e).result}pickObjects(e){return this._pick(`pickObjects`,`pickObjects Time`,e)}_pickPositionForController(e,t,n){return this._getInternalPickingMode()===`sync`?this.pickObject({x:e,y:t,radius:0,unproject3D:!0,canvasId:n?this.viewManager?.getCanvasId(n):void 0}):null}_addResources(e,t=!1){for(let n in e)this.layerManager.resourceManager.add({resourceId:n,data:e[n],forceUpdate:t})}_removeResources(e){for(let t of e)this.layerManager.resourceManager.remove(t)}_addDefaultEffect(e){this.effectManager.addDefaultEffect(e)}_addDefaultShaderModule(e){this.layerManager.addDefaultShaderModule(e)}_removeDefaultShaderModule(e){this.layerManager?.removeDefaultShaderModule(e)}_resolveInternalPickingMode(){let{pickAsync:e}=this.props,t=this.device?.type||this.props.deviceProps?.type;if(e===`auto`)return t===`webgpu`?`async`:`sync`;if(e===`sync`&&t===`webgpu`)throw Error('`pickAsync: "sync"` is not supported when Deck is using a WebGPU device.');return e}_getInternalPickingMode(){try{return this._resolveInternalPickingMode()}catch(e){return this.props.onError?.(e),null}}_validateInternalPickingMode(){this._getInternalPickingMode()}_getFirstPickedInfo({result:e,emptyInfo:t}){return e[0]||t}_shouldUnproject3D(e=this.layerManager?.getLayers()||[]){return e.some(e=>e.props.pickable===`3d`)}_getPointPickOptions(e,t,n={},r=this.layerManager?.getLayers()||[]){return{x:e,y:t,canvasId:n.canvasId,radius:this.props.pickingRadius,unproject3D:this._shouldUnproject3D(r),...n}}_pickPointSync(e){return this._pick(`pickObject`,`pickObject Time`,e)}_pickPointAsync(e){return this._pickAsync(`pickObjectAsync`,`pickObject Time`,e)}_getLastPointerDownPickingInfo(e,t,n,r=this.layerManager?.getLayers()||[]){return this.deckPicker.getLastPickedObject({x:e,y:t,layers:r,viewports:this.getViewports({x:e,y:t,canvasId:n})},this._lastPointerDownInfo)}_applyHoverCallbacks({result:e,emptyInfo:t},n){if(!this.widgetManager)return;this.cursorState.isHovering=e.length>0;let r=t,i=!1;for(let t of e)r=t,i=t.layer?.onHover(t,n)||i;i||(this.props.onHover?.(r,n),this.widgetManager.onHover(r,n))}_dispatchPickingEvent(e,t){if(!this.layerManager||!this.widgetManager)return;let n=Bp[t.type];if(!n)return;let{layer:r}=e,i=r&&(r[n]||r.props[n]),a=this.props[n],o=!1;i&&(o=i.call(r,e,t)),o||(a?.(e,t),this.widgetManager.onEvent(e,t))}_pickAsync(e,t,n){U_(this.deckPicker);let{stats:r}=this,i=this._isMultiCanvasMode()?n.canvasId||this._getDefaultCanvasId():n.canvasId,a=this._getCanvasContext(i)||void 0;r.get(`Pick Count`).incrementCount(),r.get(t).timeStart(),this._resizeForCanvasTarget(i);let o=this.deckPicker[e]({layers:this.layerManager.getLayers(n),views:this.viewManager.getViews(),viewports:this.getViewports({...n,canvasId:i}),onViewportActive:this.layerManager.activateViewport,effects:this.effectManager.getEffects(),...n,canvasId:i,canvasContext:a});return r.get(t).timeEnd(),o}_pick(e,t,n){U_(this.deckPicker);let{stats:r}=this,i=this._isMultiCanvasMode()?n.canvasId||this._getDefaultCanvasId():n.canvasId,a=this._getCanvasContext(i)||void 0;r.get(`Pick Count`).incrementCount(),r.get(t).timeStart(),this._resizeForCanvasTarget(i);let o=this.deckPicker[e]({layers:this.layerManager.getLayers(n),views:this.viewManager.getViews(),viewports:this.getViewports({...n,canvasId:i}),onViewportActive:this.layerManager.activateViewport,effects:this.effectManager.getEffects(),...n,canvasId:i,canvasContext:a});return r.get(t).timeEnd(),o}_createCanvas(e){let t=e.canvas;return typeof t==`string`&&(t=document.getElementById(t),U_(t)),t?this._ownedCanvas=null:(t=document.createElement(`canvas`),t.id=e.id||`deckgl-overlay`,e.width&&typeof e.width==`number`&&(t.width=e.width),e.height&&typeof e.height==`number`&&(t.height=e.height),(e.parent||document.body).appendChild(t),this._ownedCanvas=t),Object.assign(t.style,e.style),t}_isMultiCanvasMode(){return Array.isArray(this.props._canvases)}_getDefaultCanvasId(){return this._canvasManager.order[0]||`default-canvas`}_validateCanvasConfiguration(e){Array.isArray(e._canvases)&&(U_(!e.canvas),U_(!e.gl),U_(!e.device?.canvasContext||e.device.getDefaultCanvasContext().offscreenCanvas))}_createEventManager(e){let t=new Ip(e,{touchAction:this.props.touchAction,recognizers:Object.keys(Vp).map(e=>{let[t,n,r,i]=Vp[e],a=this.props.eventRecognizerOptions?.[e];return{recognizer:new t({...n,...a,event:e}),recognizeWith:r,requireFailure:i}}),events:{pointerdown:this._onPointerDown,pointermove:this._onPointerMove,pointerleave:this._onPointerMove}});for(let e in Bp)e===`dblclick`?t.watch(e,this._onEvent):t.on(e,this._onEvent);return t}_getEventRoot(e){return e.closest(`.deck-events-root`)||this.props.parent?.querySelector(`.deck-events-root`)||e}_syncCanvasTargets(){if(!this.device||!this._isMultiCanvasMode())return;this._canvasManager.syncCanvasEntries({device:this.device,canvases:this.props._canvases||[],useDevicePixels:this.props.useDevicePixels}),this.eventManagers=this._canvasManager.eventManagers;let e=this._getDefaultCanvasId();this.eventManager=this.eventManagers[e]||null,this.canvas=this._canvasManager.targets[e]?.canvas||null}_setCanvasContext(e){this._canvasContext=e,`style`in e.canvas&&(this.canvas=e.canvas)}_setDeviceCanvasContext(e,t={}){let n=e.getDefaultCanvasContext();this._setCanvasContext(n),this._setDeviceResizeHandler(e,t)}_setDeviceResizeHandler(e,t={}){let n=!!t.syncDrawingBuffer;if(this._deviceResizeHandler?.device===e){this._deviceResizeHandler.syncDrawingBuffer=n;return}this._restoreDeviceResizeHandler();let r=e=>{this._isMultiCanvasMode()?this._updateMultiCanvasDimensions():e===this._canvasContext&&this._canvasContext&&this._onCanvasContextResize(this._canvasContext,{syncDrawingBuffer:this._deviceResizeHandler?.syncDrawingBuffer})};e.props.onResize=r,this._deviceResizeHandler={device:e,onResize:r,syncDrawingBuffer:n}}_restoreDeviceResizeHandler(){let e=this._deviceResizeHandler;e&&e.device.props?.onResize===e.onResize&&(e.device.props.onResize=gS),this._deviceResizeHandler=null}_setCanvasSize(e){if(this._isMultiCanvasMode()||!this.canvas)return;let{width:t,height:n}=e;if(t||t===0){let e=Number.isFinite(t)?`${t}px`:t;this.canvas.style.width=e}if(n||n===0){let t=Number.isFinite(n)?`${n}px`:n;this.canvas.style.position=e.style?.position||`absolute`,this.canvas.style.height=t}}_getCanvasIdFromEvent(e){return this._canvasManager.getCanvasIdFromEvent(e?.rootElement)}_getCanvasContext(e){return this._canvasManager.getTarget(e)?.presentationContext||this._canvasContext}_resizeForCanvasTarget(e){let t=this._canvasManager.getTarget(e);if(!t||!this.device?.canvasContext)return;let[n,r]=t.presentationContext.getDrawingBufferSize();this.device.canvasContext.setDrawingBufferSize(n,r)}_createDeviceCanvas(e){if(this._isMultiCanvasMode()){let t=globalThis.OffscreenCanvas;if(!t)throw Error("`_canvases` requires OffscreenCanvas support.");return new t(typeof e.width==`number`&&Number.isFinite(e.width)?e.width:1,typeof e.height==`number`&&Number.isFinite(e.height)?e.height:1)}return this._createCanvas(e)}_updateCanvasSize(e=this._canvasContext){if(this._isMultiCanvasMode()){this._updateMultiCanvasDimensions();return}let{canvas:t}=this,[n,r]=e?e.getCSSSize():[t?.clientWidth??t?.width??0,t?.clientHeight??t?.height??0];(n!==this.width||r!==this.height)&&(this.width=n,this.height=r,this.viewManager?.setProps({width:n,height:r}),this.layerManager?.activateViewport(this.getViewports()[0]),this.props.onResize({width:n,height:r},e||void 0))}_onCanvasContextResize(e,t={}){if(t.syncDrawingBuffer){let{width:t,height:n}=e.canvas;e.setDrawingBufferSize(t,n)}this._needsRedraw=`Canvas resized`,this._updateCanvasSize(e)}_updateMultiCanvasDimensions(){let[e,t]=this._getCanvasContext()?.getCSSSize()||[0,0];(e!==this.width||t!==this.height)&&(this.width=e,this.height=t,this.props.onResize({width:e,height:t})),this._needsRedraw=`Canvas resized`,this.viewManager?.setNeedsUpdate(`Canvas resized`),this.viewManager?.setProps({width:this.width,height:this.height})}_createAnimationLoop(e,t){let{gl:n,onError:r}=t;return new hg({device:e,autoResizeDrawingBuffer:!n&&!Array.isArray(t._canvases),autoResizeViewport:!1,onInitialize:e=>this._setDevice(e.device),onRender:this._onRenderFrame.bind(this),onError:r})}_createDevice(e){let t=this.props.deviceProps?.createCanvasContext,n=typeof t==`object`?t:void 0,r={adapters:[],_cacheShaders:!0,_cachePipelines:!0,...e.deviceProps};r.adapters.includes(cy)||r.adapters.push(cy);let i={alphaMode:this.props.deviceProps?.type===`webgpu`?`premultiplied`:void 0};return Qc.createDevice({_reuseDevices:!0,type:`webgl`,...r,createCanvasContext:{...i,...n,canvas:this._createDeviceCanvas(e),useDevicePixels:this.props.useDevicePixels,autoResize:!0}})}_getViewState(){return this.props.viewState||this.viewState}_getViews(){let{views:e}=this.props,t=Array.isArray(e)?e:e?[e]:[new hv({id:`default-view`})];return t.length&&this.props.controller&&(t[0]=t[0].clone({controller:this.props.controller})),t}_onContextLost(){let{onError:e}=this.props;this.animationLoop&&e&&e(Error(`WebGL context is lost`))}_pickAndCallback(){let{_pickRequest:e}=this;if(e.event){let t=e.event,n=this.layerManager?.getLayers()||[],r=this._getPointPickOptions(e.x,e.y,{canvasId:e.canvasId,radius:e.radius,mode:e.mode},n),i=this._getInternalPickingMode(),a=++this._hoverPickSequence;if(e.event=null,e.canvasId=void 0,!i)return;if(i===`sync`){this._applyHoverCallbacks(this._pickPointSync(r),t);return}this._pickPointAsync(r).then(({result:e,emptyInfo:n})=>{a===this._hoverPickSequence&&this._applyHoverCallbacks({result:e,emptyInfo:n},t)}).catch(e=>this.props.onError?.(e))}}_updateCursor(){let e=this.props.getCursor(this.cursorState);if(this._isMultiCanvasMode()){for(let t of Object.values(this._canvasManager.targets))t.canvas.style.cursor=e;return}let t=this.props.parent||this.canvas;t&&(t.style.cursor=e)}_setDevice(e){if(this.device=e,this._validateInternalPickingMode(),!this.animationLoop)return;this._setDeviceCanvasContext(e,{syncDrawingBuffer:!!(this.props.gl&&this.props.device!==e)}),this._isMultiCanvasMode()?this._syncCanvasTargets():this.canvas&&!this.canvas.isConnected&&this.props.parent&&this.props.parent.insertBefore(this.canvas,this.props.parent.firstChild),this.device.type===`webgl`&&this.device.setParametersWebGL({blend:!0,blendFunc:[770,771,1,771],polygonOffsetFill:!0,depthTest:!0,depthFunc:515}),this.props.onDeviceInitialized(this.device),this.device.type===`webgl`&&this.props.onWebGLInitialized(this.device.gl);let t=new lg;if(t.play(),this.animationLoop.attachTimeline(t),!this._isMultiCanvasMode()){let e=this.canvas&&this._getEventRoot(this.canvas);U_(e),this.eventManager=this._createEventManager(e),this.eventManagers={[x_]:this.eventManager}}this.viewManager=new S_({timeline:t,eventManager:this.eventManager,eventManagers:this.eventManagers,getCanvasContext:this._isMultiCanvasMode()?this.getCanvasContext.bind(this):void 0,onViewStateChange:this._onViewStateChange.bind(this),onInteractionStateChange:this._onInteractionStateChange.bind(this),pickPosition:this._pickPositionForController.bind(this),views:this._getViews(),viewState:this._getViewState(),width:this.width,height:this.height});let n=this.viewManager.getViewports()[0];this.layerManager=new y_(this.device,{deck:this,stats:this.stats,viewport:n,timeline:t}),this.effectManager=new vv({deck:this,device:this.device}),this.deckRenderer=new xv(this.device,{stats:this.stats}),this.deckPicker=new kv(this.device,{stats:this.stats});let r=this.props.parent?.querySelector(`.deck-widgets-root`)||(this._isMultiCanvasMode()?this.props.parent||this.canvas?.parentElement:null)||this.canvas?.parentElement;this.widgetManager=new Nv({deck:this,parentElement:r}),this.widgetManager.addDefault(new Rv),this.setProps({}),this._updateCanvasSize(this._canvasContext),this.props.onLoad()}_drawLayers(e,t){let{device:n,gl:r}=this.layerManager.context;this.props.onBeforeRender({device:n,gl:r});let i={target:this.props._framebuffer,layers:this.layerManager.getLayers(),viewports:this.viewManager.getViewports(),onViewportActive:this.layerManager.activateViewport,views:this.viewManager.getViews(),pass:`screen`,effects:this.effectManager.getEffects(),...t};if(this._isMultiCanvasMode()&&i.pass===`screen`&&!i.target&&this._canvasManager.order.length)for(let e of this._canvasManager.order){let t=i.viewports.filter(t=>this.viewManager.getCanvasId(t.id)===e);if(!t.length){let t=this._canvasManager.targets[e];this._resizeForCanvasTarget(e),this.deckRenderer?.renderLayers({...i,canvasContext:t.presentationContext,target:t.presentationContext.getCurrentFramebuffer(),viewports:[],clearCanvas:!0}),t.presentationContext.present();continue}let n=this._canvasManager.targets[e];this._resizeForCanvasTarget(e);let r=n.presentationContext.getCurrentFramebuffer();this.deckRenderer?.renderLayers({...i,canvasContext:n.presentationContext,target:r,viewports:t}),n.presentationContext.present()}else this.deckRenderer?.renderLayers(i);i.pass===`screen`&&this.widgetManager.onRedraw({viewports:i.viewports,layers:i.layers}),this.props.onAfterRender({device:n,gl:r})}_onRenderFrame(){this._getFrameStats(),this._metricsCounter++%60==0&&(this._getMetrics(),this.stats.reset(),K.table(4,this.metrics)(),this.props._onMetrics&&this.props._onMetrics(this.metrics)),this._updateCursor(),this.layerManager.updateLayers(),this._pickAndCallback(),this.redraw(),this.viewManager&&this.viewManager.updateViewStates()}_onViewStateChange(e){let t=this.props.onViewStateChange(e)||e.viewState;this.viewState&&(this.viewState={...this.viewState,[e.viewId]:t},this.props.viewState||this.viewManager&&this.viewManager.setProps({viewState:this.viewState}))}_onInteractionStateChange(e){this.cursorState.isDragging=e.isDragging||!1,this.props.onInteractionStateChange(e)}_getFrameStats(){let{stats:e}=this;e.get(`frameRate`).timeEnd(),e.get(`frameRate`).timeStart();let t=this.animationLoop.stats;e.get(`GPU Time`).addTime(t.get(`GPU Time`).lastTiming),e.get(`CPU Time`).addTime(t.get(`CPU Time`).lastTiming)}_getMetrics(){let{metrics:e,stats:t}=this;e.fps=t.get(`frameRate`).getHz(),e.setPropsTime=t.get(`setProps Time`).time,e.updateAttributesTime=t.get(`Update Attributes`).time,e.framesRedrawn=t.get(`Redraw Count`).count,e.pickTime=t.get(`pickObject Time`).time+t.get(`pickMultipleObjects Time`).time+t.get(`pickObjects Time`).time,e.pickCount=t.get(`Pick Count`).count,e.layersCount=this.layerManager?.layers.length??0,e.drawLayersCount=t.get(`Layers rendered`).lastSampleCount,e.pickLayersCount=t.get(`Layers picked`).lastSampleCount,e.updateLayersCount=t.get(`Layer updates`).count,e.updateAttributesCount=t.get(`Attributes updated`).count,e.gpuTime=t.get(`GPU Time`).time,e.cpuTime=t.get(`CPU Time`).time,e.gpuTimePerFrame=t.get(`GPU Time`).getAverageTime(),e.cpuTimePerFrame=t.get(`CPU Time`).getAverageTime();let n=Qc.stats.get(`GPU Time and Memory`);e.bufferMemory=n.get(`Buffer Memory`).count,e.textureMemory=n.get(`Texture Memory`).count,e.renderbufferMemory=n.get(`Renderbuffer Memory`).count,e.gpuMemory=n.get(`GPU Memory`).count}};vS.defaultProps=_S,vS.VERSION=zc;function yS(e){switch(e){case`float64`:return Float64Array;case`uint8`:case`unorm8`:return Uint8ClampedArray;default:return c(e)}}var bS=d.getDataType.bind(d);function xS(e,t,n){if(t.size>4)return null;let r=n===`webgpu`&&t.type===`uint8`?`unorm8`:t.type,i=t.size,a=!!(n!==`webgpu`&&i===3&&r&&[`uint8`,`sint8`,`unorm8`,`snorm8`,`uint16`,`sint16`,`unorm16`,`snorm16`].includes(r));return{attribute:e,format:i>1?`${r}x${i}${a?`-webgl`:``}`:t.type,byteOffset:t.offset||0}}function SS(e){return e.stride||e.size*e.bytesPerElement}function CS(e,t){return e.type===t.type&&e.size===t.size&&SS(e)===SS(t)&&(e.offset||0)===(t.offset||0)}function wS(e,t){t.offset&&K.removed(`shaderAttribute.offset`,`vertexOffset, elementOffset`)();let n=SS(e),r=t.vertexOffset===void 0?e.vertexOffset||0:t.vertexOffset,i=t.elementOffset||0,a=r*n+i*e.bytesPerElement+(e.offset||0);return{...t,offset:a,stride:n}}function TS(e,t){let n=wS(e,t);return{high:n,low:{...n,offset:n.offset+e.size*4}}}var ES=class{constructor(e,t,n){this._buffer=null,this.device=e,this.id=t.id||``,this.size=t.size||1;let r=t.logicalType||t.type,i=r===`float64`,{defaultValue:a}=t;a=Number.isFinite(a)?[a]:a||Array(this.size).fill(0);let o;o=i?`float32`:!r&&t.isIndexed?`uint32`:r||`float32`;let s=yS(r||o);this.doublePrecision=i,i&&t.fp64===!1&&(s=Float32Array),this.value=null,this.settings={...t,defaultType:s,defaultValue:a,logicalType:r,type:o,normalized:o.includes(`norm`),size:this.size,bytesPerElement:s.BYTES_PER_ELEMENT},this.state={...n,externalBuffer:null,bufferAccessor:this.settings,allocatedValue:null,numInstances:0,bounds:null,constant:!1}}get isConstant(){return this.state.constant}get buffer(){return this._buffer}get byteOffset(){let e=this.getAccessor();return e.vertexOffset?e.vertexOffset*SS(e):0}get numInstances(){return this.state.numInstances}set numInstances(e){this.state.numInstances=e}get isDoublePrecisionBuffer(){return this._shouldSplitDoublePrecisionValue(this.value)}delete(){this._buffer&&=(this._buffer.delete(),null),Ah.release(this.state.allocatedValue),this.state.allocatedValue=null}getBuffer(){return this.state.constant&&this.device.type!==`webgpu`?null:this.state.externalBuffer||this._buffer}getValue(e=this.id,t=null){let n={};if(this.state.constant){let r=this.value;if(this.device.type===`webgpu`&&this._buffer)n[e]=this._buffer;else if(t){let i=wS(this.getAccessor(),t),a=i.offset/r.BYTES_PER_ELEMENT,o=i.size||this.size;n[e]=r.subarray(a,a+o)}else n[e]=r}else n[e]=this.getBuffer();return this.doublePrecision&&(this.isDoublePrecisionBuffer?n[`${e}64Low`]=n[e]:n[`${e}64Low`]=new Float32Array(this.size)),n}_getBufferLayout(e=this.id,t=null){let n=this.getAccessor(),r=[],i={name:this.id,byteStride:this.device.type===`webgpu`&&this.state.constant?0:SS(n)};if(this.doublePrecision){let i=TS(n,t||{});r.push(xS(e,{...n,...i.high},this.device.type),xS(`${e}64Low`,{...n,...i.low},this.device.type))}else if(t){let i=wS(n,t);r.push(xS(e,{...n,...i},this.device.type))}else r.push(xS(e,n,this.device.type));return i.attributes=r.filter(Boolean),i}setAccessor(e){this.state.bufferAccessor=e}getAccessor(){return this.state.bufferAccessor}getBounds(){if(this.state.bounds)return this.state.bounds;let e=null;if(this.state.constant&&this.value){let t=Array.from(this.value);e=[t,t]}else{let{value:t,numInstances:n,size:r}=this,i=n*r;if(t&&i&&t.length>=i){let n=Array(r).fill(1/0),a=Array(r).fill(-1/0);for(let e=0;e<i;)for(let i=0;i<r;i++){let r=t[e++];r<n[i]&&(n[i]=r),r>a[i]&&(a[i]=r)}e=[n,a]}}return this.state.bounds=e,e}setData(e){let{state:t}=this,r;r=ArrayBuffer.isView(e)?{value:e}:e instanceof n?{buffer:e}:e;let i={...this.settings,...r};if(ArrayBuffer.isView(r.value)){if(!r.type){if(this.doublePrecision&&r.value instanceof Float64Array)i.type=`float32`;else{let e=bS(r.value);i.type=i.normalized?e.replace(`int`,`norm`):e}}i.bytesPerElement=r.value.BYTES_PER_ELEMENT,i.stride=SS(i)}if(t.bounds=null,r.constant){let e=r.value;if(e=this._normalizeValue(e,[],0),this.settings.normalized&&(e=this.normalizeConstant(e)),t.constant&&this._areValuesEqual(e,this.value))return!1;t.externalBuffer=null,t.constant=!0,this.value=ArrayBuffer.isView(e)?e:new Float32Array(e)}else if(r.buffer)t.externalBuffer=r.buffer,t.constant=!1,this.value=r.value||null;else if(r.value){this._checkExternalBuffer(r);let e=r.value,n=e;t.externalBuffer=null,t.constant=!1,this.value=e,this._shouldSplitDoublePrecisionValue(n)&&(n=zh(n,i),e instanceof Float32Array&&(i.stride=i.size*2*Float32Array.BYTES_PER_ELEMENT));let{buffer:a}=this,o=SS(i),s=(i.vertexOffset||0)*o;if(this.settings.isIndexed){let e=this.settings.defaultType;n.constructor!==e&&(n=new e(n))}let c=n.byteLength+s+o*2;(!a||a.byteLength<c)&&(a=this._createBuffer(c)),a.write(n,s)}return this.setAccessor(i),!0}updateSubBuffer(e={}){this.state.bounds=null;let t=this.value,{startOffset:n=0,endOffset:r}=e,i=this._shouldSplitDoublePrecisionValue(t);this.buffer.write(i?zh(t,{size:this.size,startIndex:n,endIndex:r}):t.subarray(n,r),n*(i?8:t.BYTES_PER_ELEMENT)+this.byteOffset)}allocate(e,t=!1){let{state:n}=this,r=n.allocatedValue,i=Ah.allocate(r,e+1,{size:this.size,type:this.settings.defaultType,copy:t});this.value=i;let a=this._shouldSplitDoublePrecisionValue(i),o=a&&i instanceof Float32Array?{...this.settings,stride:this.size*2*Float32Array.BYTES_PER_ELEMENT}:this.settings;this.setAccessor(o);let{byteOffset:s}=this,{buffer:c}=this,l=i.byteLength*(a&&i instanceof Float32Array?2:1);return(!c||c.byteLength<l+s)&&(c=this._createBuffer(l+s),t&&r&&c.write(this._shouldSplitDoublePrecisionValue(r)?zh(r,this):r,s)),n.allocatedValue=i,n.constant=!1,n.externalBuffer=null,!0}_shouldSplitDoublePrecisionValue(e){return!!(this.doublePrecision&&(e instanceof Float64Array||this.device.type===`webgpu`&&e instanceof Float32Array))}_checkExternalBuffer(e){let{value:t}=e;if(!ArrayBuffer.isView(t))throw Error(`Attribute ${this.id} value is not TypedArray`);let n=this.settings.defaultType,r=!1;if(this.doublePrecision&&(r=t.BYTES_PER_ELEMENT<4),r)throw Error(`Attribute ${this.id} does not support ${t.constructor.name}`);!(t instanceof n)&&this.settings.normalized&&!(`normalized`in e)&&K.warn(`Attribute ${this.id} is normalized`)()}normalizeConstant(e){switch(this.settings.type){case`snorm8`:return new Float32Array(e).map(e=>(e+128)/255*2-1);case`snorm16`:return new Float32Array(e).map(e=>(e+32768)/65535*2-1);case`unorm8`:return new Float32Array(e).map(e=>e/255);case`unorm16`:return new Float32Array(e).map(e=>e/65535);default:return e}}_normalizeValue(e,t,n){let{defaultValue:r,size:i}=this.settings;if(Number.isFinite(e))return t[n]=e,t;if(!e){let e=i;for(;--e>=0;)t[n+e]=r[e];return t}switch(i){case 4:t[n+3]=Number.isFinite(e[3])?e[3]:r[3];case 3:t[n+2]=Number.isFinite(e[2])?e[2]:r[2];case 2:t[n+1]=Number.isFinite(e[1])?e[1]:r[1];case 1:t[n+0]=Number.isFinite(e[0])?e[0]:r[0];break;default:let a=i;for(;--a>=0;)t[n+a]=Number.isFinite(e[a])?e[a]:r[a]}return t}_areValuesEqual(e,t){if(!e||!t)return!1;let{size:n}=this;for(let r=0;r<n;r++)if(e[r]!==t[r])return!1;return!0}_createBuffer(e){this._buffer&&this._buffer.destroy();let{isIndexed:t,type:r}=this.settings,i=this.device.type===`webgpu`&&!t?n.VERTEX|n.STORAGE|n.COPY_DST|n.COPY_SRC:(t?n.INDEX:n.VERTEX)|n.COPY_DST;return this._buffer=this.device.createBuffer({...this._buffer?.props,id:this.id,usage:i,indexType:t?r:void 0,byteLength:e}),this._buffer}},DS=[],OS=[];function kS(e,t=0,n=1/0){let r=DS,i={index:-1,data:e,target:[]};return e?typeof e[Symbol.iterator]==`function`?r=e:e.length>0&&(OS.length=e.length,r=OS):r=DS,(t>0||Number.isFinite(n))&&(r=(Array.isArray(r)?r:Array.from(r)).slice(t,n),i.index=t-1),{iterable:r,objectInfo:i}}function AS(e){return e&&e[Symbol.asyncIterator]}function jS(e,t){let{size:n,stride:r,offset:i,startIndices:a,nested:o}=t,s=e.BYTES_PER_ELEMENT,c=r?r/s:n,l=i?i/s:0,u=Math.floor((e.length-l)/c);return(t,{index:r,target:i})=>{if(!a){let t=r*c+l;for(let r=0;r<n;r++)i[r]=e[t+r];return i}let s=a[r],d=a[r+1]||u,f;if(o){f=Array(d-s);for(let t=s;t<d;t++){let r=t*c+l;i=Array(n);for(let t=0;t<n;t++)i[t]=e[r+t];f[t-s]=i}}else if(c===n)f=e.subarray(s*n+l,d*n+l);else{f=new e.constructor((d-s)*n);let t=0;for(let r=s;r<d;r++){let i=r*c+l;for(let r=0;r<n;r++)f[t++]=e[i+r]}}return f}}var MS=[],NS=[[0,1/0]];function PS(e,t){if(e===NS||(t[0]<0&&(t[0]=0),t[0]>=t[1]))return e;let n=[],r=e.length,i=0;for(let a=0;a<r;a++){let r=e[a];r[1]<t[0]?(n.push(r),i=a+1):r[0]>t[1]?n.push(r):t=[Math.min(r[0],t[0]),Math.max(r[1],t[1])]}return n.splice(i,0,t),n}var FS={interpolation:{duration:0,easing:e=>e},spring:{stiffness:.05,damping:.5}};function IS(e,t){if(!e)return null;Number.isFinite(e)&&(e={type:`interpolation`,duration:e});let n=e.type||`interpolation`;return{...FS[n],...t,...e,type:n}}var LS=class extends ES{constructor(e,t){super(e,t,{startIndices:null,constantValue:null,lastExternalBuffer:null,binaryValue:null,binaryAccessor:null,needsUpdate:!0,needsRedraw:!1,layoutChanged:!1,updateRanges:NS}),this.constant=!1,this.settings.update=t.update||(t.accessor?this._autoUpdater:void 0),Object.seal(this.settings),Object.seal(this.state),this._validateAttributeUpdaters()}get startIndices(){return this.state.startIndices}set startIndices(e){this.state.startIndices=e}needsUpdate(){return this.state.needsUpdate}needsRedraw({clearChangedFlags:e=!1}={}){let t=this.state.needsRedraw;return this.state.needsRedraw=t&&!e,t}layoutChanged(){return this.state.layoutChanged}setAccessor(e){var t;(t=this.state).layoutChanged||(t.layoutChanged=!CS(e,this.getAccessor())),super.setAccessor(e)}getUpdateTriggers(){let{accessor:e}=this.settings;return[this.id].concat(typeof e!=`function`&&e||[])}supportsTransition(){return!!this.settings.transition}getTransitionSetting(e){if(!e||!this.supportsTransition())return null;let{accessor:t}=this.settings,n=this.settings.transition;return IS(Array.isArray(t)?e[t.find(t=>e[t])]:e[t],n)}setNeedsUpdate(e=this.id,t){if(this.state.needsUpdate=this.state.needsUpdate||e,this.setNeedsRedraw(e),t){let{startRow:e=0,endRow:n=1/0}=t;this.state.updateRanges=PS(this.state.updateRanges,[e,n])}else this.state.updateRanges=NS}clearNeedsUpdate(){this.state.needsUpdate=!1,this.state.updateRanges=MS}setNeedsRedraw(e=this.id){this.state.needsRedraw=this.state.needsRedraw||e}allocate(e){let{state:t,settings:n}=this;if(n.noAlloc)return!1;if(n.update){let n=this.isConstant;return super.allocate(e,t.updateRanges!==NS),t.layoutChanged||=n&&this.device.type===`webgpu`,!0}return!1}updateBuffer({numInstances:e,data:t,props:n,context:r}){if(!this.needsUpdate())return!1;let{state:{updateRanges:i},settings:{update:a,noAlloc:o}}=this,s=!0;if(a){for(let[o,s]of i)a.call(r,this,{data:t,startRow:o,endRow:s,props:n,numInstances:e});if(this.value){if(this.constant||!this.buffer||this.buffer.byteLength<this.value.byteLength+this.byteOffset){if(this.constant){let e=this.value;this.value=null,this.setConstantValue(r,e)}else this.setData({value:this.value,constant:this.constant});this.constant=!1}else for(let[t,n]of i){let r=Number.isFinite(t)?this.getVertexOffset(t):0,i=Number.isFinite(n)?this.getVertexOffset(n):o||!Number.isFinite(e)?this.value.length:e*this.size;super.updateSubBuffer({startOffset:r,endOffset:i})}}this._checkAttributeArray()}else s=!1;return this.clearNeedsUpdate(),this.setNeedsRedraw(),s}setConstantValue(e,t){var n;if(t===void 0||typeof t==`function`)return!1;let r=this.isConstant,i=this.settings.transform&&e?this.settings.transform.call(e,t):t,a=this.settings.defaultType;this.state.constantValue=this._normalizeValue(i,new a(this.size),0);let o=this.setData({constant:!0,value:i});if(this.device.type===`webgpu`){let e=this.state.constantValue;this.doublePrecision&&(e instanceof Float32Array||e instanceof Float64Array)&&(e=zh(e,{size:this.size}),this.setAccessor({...this.getAccessor(),stride:this.size*2*Float32Array.BYTES_PER_ELEMENT}));let t=this._buffer;(!t||t.byteLength<e.byteLength)&&(t=this._createBuffer(e.byteLength)),t.write(e),(n=this.state).layoutChanged||(n.layoutChanged=!r),this.constant=!1}return o&&this.setNeedsRedraw(),this.clearNeedsUpdate(),!0}getConstantValue(){return this.isConstant?this.state.constantValue:null}setExternalBuffer(e){let{state:t}=this;return e?(this.clearNeedsUpdate(),t.lastExternalBuffer===e||(t.lastExternalBuffer=e,this.setNeedsRedraw(),this.setData(e)),!0):(t.lastExternalBuffer=null,!1)}setBinaryValue(e,t=null){let{state:n,settings:r}=this;if(!e)return n.binaryValue=null,n.binaryAccessor=null,!1;if(r.noAlloc)return!1;if(n.binaryValue===e)return this.clearNeedsUpdate(),!0;if(n.binaryValue=e,this.setNeedsRedraw(),r.transform||t!==this.startIndices){ArrayBuffer.isView(e)&&(e={value:e});let i=e;U_(ArrayBuffer.isView(i.value),`invalid ${r.accessor}`);let a=!!i.size&&i.size!==this.size;return n.binaryAccessor=jS(i.value,{size:i.size||this.size,stride:i.stride,offset:i.offset,startIndices:t,nested:a}),!1}return this.clearNeedsUpdate(),this.setData(e),!0}getVertexOffset(e){let{startIndices:t}=this;return(t?e<t.length?t[e]:this.numInstances:e)*this.size}getValue(){let e=this.settings.shaderAttributes,t=super.getValue();if(!e)return t;for(let n in e)Object.assign(t,super.getValue(n,e[n]));return t}getBufferLayout(e){this.state.layoutChanged=!1;let t=this.settings.shaderAttributes,n=super._getBufferLayout(),{stepMode:r}=this.settings;if(n.stepMode=r===`dynamic`?e?e.isInstanced?`instance`:`vertex`:`instance`:r??`vertex`,!t)return n;for(let e in t){let r=super._getBufferLayout(e,t[e]);n.attributes.push(...r.attributes)}return n}_autoUpdater(e,{data:t,startRow:n,endRow:r,props:i,numInstances:a}){let{settings:o,state:s,value:c,size:l,startIndices:u}=e,{accessor:d,transform:f}=o,p=s.binaryAccessor||(typeof d==`function`?d:i[d]);U_(typeof p==`function`,`accessor "${d}" is not a function`);let m=e.getVertexOffset(n),{iterable:h,objectInfo:g}=kS(t,n,r);for(let t of h){g.index++;let n=p(t,g);if(f&&(n=f.call(this,n)),u){let t=(g.index<u.length-1?u[g.index+1]:a)-u[g.index];if(n&&Array.isArray(n[0])){let t=m;for(let r of n)e._normalizeValue(r,c,t),t+=l}else n&&n.length>l?c.set(n,m):(e._normalizeValue(n,g.target,0),m_({target:c,source:g.target,start:m,count:t}));m+=t*l}else e._normalizeValue(n,c,m),m+=l}}_validateAttributeUpdaters(){let{settings:e}=this;if(!(e.noAlloc||typeof e.update==`function`))throw Error(`Attribute ${this.id} missing update or accessor`)}_checkAttributeArray(){let{value:e}=this,t=Math.min(4,this.size);if(e&&e.length>=t){let n=!0;switch(t){case 4:n&&=Number.isFinite(e[3]);case 3:n&&=Number.isFinite(e[2]);case 2:n&&=Number.isFinite(e[1]);case 1:n&&=Number.isFinite(e[0]);break;default:n=!1}if(!n)throw Error(`Illegal attribute generated for ${this.id}`)}}},RS=class e{gpuDataEvaluators;format;length;id;_gpuVector;_ownsGPUDataEvaluators;_destroyed=!1;static fromGPUVector(t){if(t.bufferLayout)throw Error(`GPUVectorEvaluator.fromGPUVector() does not accept interleaved vector "${t.name}"`);if(t.data.length===0)throw Error(`GPUVectorEvaluator.fromGPUVector() requires GPUData for "${t.name}"`);return new e({id:t.name,gpuDataEvaluators:t.data.map(e=>ae.fromGPUData(e,{id:t.name})),gpuVector:t,format:t.format})}static fromGPUDataEvaluators(t,n={}){return new e({id:n.id,gpuDataEvaluators:t,format:n.format})}constructor({id:e,gpuDataEvaluators:t,gpuVector:n,format:r}){if(t.length===0)throw Error(`GPUVectorEvaluator requires at least one GPUData evaluator`);zS(t),this.id=e,this.gpuDataEvaluators=t,this.format=r??t[0].format,this.length=t.reduce((e,t)=>e+t.length,0),this._gpuVector=n,this._ownsGPUDataEvaluators=!n}get evaluated(){return!!this._gpuVector}get gpuVector(){if(!this._gpuVector)throw Error(`${this} not evaluated`);return this._gpuVector}mapGPUData(t){return e.fromGPUDataEvaluators(this.gpuDataEvaluators.map((e,n)=>t(e,n)),{id:this.id})}async evaluate(e,t={}){if(this._destroyed)throw Error(`GPUVectorEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let n=await Promise.all(this.gpuDataEvaluators.map(n=>n.evaluate(e,t))),r=n[0],i=n.map(BS),a=t.format??this.format??r.format;return this._gpuVector=new re({type:`data`,name:t.name??this.id??`vector`,format:a,data:i,stride:r.stride,byteStride:r.byteStride,rowByteLength:r.rowByteLength,bufferLayout:r.bufferLayout}),this._gpuVector}evaluateSync(e,t={}){if(this._destroyed)throw Error(`GPUVectorEvaluator ${this} already destroyed`);if(this._gpuVector)return this._gpuVector;let n=this.gpuDataEvaluators.map(n=>n.evaluateSync(e,t)),r=n[0],i=n.map(BS),a=t.format??this.format??r.format;return this._gpuVector=new re({type:`data`,name:t.name??this.id??`vector`,format:a,data:i,stride:r.stride,byteStride:r.byteStride,rowByteLength:r.rowByteLength,bufferLayout:r.bufferLayout}),this._gpuVector}destroy(){if(this._ownsGPUDataEvaluators)for(let e of this.gpuDataEvaluators)e.destroy();this._gpuVector=void 0,this._destroyed=!0}toString(){return this.id??this.constructor.name}};function zS(e){let t=e[0];for(let n of e.slice(1))if(n.type!==t.type||n.size!==t.size||n.normalized!==t.normalized||n.format!==t.format)throw Error(`GPUVectorEvaluator requires matching GPUData evaluator layouts`)}function BS(e){let[t,...n]=e.data;if(!t||n.length>0)throw Error(`GPUVectorEvaluator requires one GPUData chunk for "${e.name}"`);return t}function VS({elementWise:e,func:t,inputs:n,output:r,outputBuffer:i}){let a=Array.isArray(n)?n:Object.values(n);for(let e of a)if(!e.value)throw Error(`${e} does not have CPU value`);let o=r.length,s=r.size,c=new r.ValueType(o*s);for(let n=0;n<o;n++){let r=a.map(e=>HS(e,n));if(e)for(let e=0;e<s;e++)c[n*s+e]=t.apply(null,r.map(t=>t[e]));else t.call(null,c.subarray(n*s,n*s+s),...r)}let l=r.ValueType.BYTES_PER_ELEMENT,u=r.offset/l,d=r.stride/l,f=s,p=c;if(u!==0||d!==f){p=new r.ValueType(u+r.byteLength/l);for(let e=0;e<o;e++){let t=e*f,n=u+e*d,r=c.subarray(t,t+s);p.set(r,n),i.write(r,n*l)}}else i.write(c);return{success:!0,value:p}}function HS(e,t){let n=e.value,r=e.size,i=e.offset/e.ValueType.BYTES_PER_ELEMENT,a=e.stride/e.ValueType.BYTES_PER_ELEMENT,o=i+(e.isConstant?0:t)*a,s=n.slice(o,o+r);if(!e.normalized)return s;let c=new Float32Array(r);for(let t=0;t<r;t++)c[t]=US(s[t],e.type);return c}function US(e,t){switch(t){case`uint8`:return e/255;case`uint16`:return e/65535;case`uint32`:return e/4294967295;case`sint8`:return Math.max(e/127,-1);case`sint16`:return Math.max(e/32767,-1);case`sint32`:return Math.max(e/2147483647,-1);case`float32`:return e;default:throw Error(`Unsupported normalized source type ${t}`)}}var WS=({inputs:e,output:t,target:n})=>{for(let t of Object.values(e.namedInputs))if(!t.value)throw Error(`${t} does not have CPU value`);let r=new t.ValueType(t.length*t.size);for(let n=0;n<t.length;n++){let i=Object.fromEntries(Object.entries(e.namedInputs).map(([e,t])=>[e,HS(t,n)]));for(let a=0;a<t.size;a++)r[n*t.size+a]=GS(e.expression,i,a)}return n.write(r),{success:!0,value:r}};function GS(e,t,n){switch(e.kind){case`input`:{let r=t[e.name];return n<r.length?r[n]:r.length===1?r[0]:0}case`literal`:return Array.isArray(e.value)?e.value[n]??0:e.value;case`call`:{KS(e.op,e.args.length);let r=e.args.map(e=>GS(e,t,n));switch(e.op){case`add`:return r[0]+r[1];case`subtract`:return r[0]-r[1];case`multiply`:return r[0]*r[1];case`divide`:return r[0]/r[1];case`pow`:return r[0]**+r[1];case`sqrt`:return Math.sqrt(r[0]);case`abs`:return Math.abs(r[0]);case`sin`:return Math.sin(r[0]);case`cos`:return Math.cos(r[0]);case`tan`:return Math.tan(r[0]);case`exp`:return Math.exp(r[0]);case`log`:return Math.log(r[0]);default:{let t=e.op;throw Error(`Unsupported arithmetic op ${t}`)}}}default:throw Error(`Unsupported expression node ${e.kind}`)}}function KS(e,t){let n=ne[e].arity;if(t!==n)throw Error(`Arithmetic op '${e}' expects ${n} args, got ${t}`)}var qS=({inputs:e,output:t,target:n})=>{let{sourceValues:r}=e;if(!r.value)throw Error(`${r} does not have CPU value`);let i=new t.ValueType(t.length*t.size);if(r.length===0)return{success:!1,error:Error(`${r} is empty`)};for(let e=0;e<r.size;e++){let n=HS(r,0)[e],a=e*t.size,o=a+1;i[a]=n,i[o]=n;for(let t=1;t<r.length;t++){let n=HS(r,t)[e];n<i[a]&&(i[a]=n),n>i[o]&&(i[o]=n)}}return n.write(i),{success:!0,value:i}},JS=({inputs:e,output:t,target:n})=>VS({func:(e,t)=>{let n=e.length/2,r=new Float64Array(t.buffer);for(let t=0;t<n;t++){let i=r[t];e[t]=Math.fround(i),e[t+n]=i-e[t]}return e},inputs:e,output:t,outputBuffer:n}),YS=async({inputs:e,output:t,target:n})=>{let{ids:r,sourceValues:i}=e,a=r.value,o=i.value;if(!a)throw Error(`${r} does not have CPU value`);if(!o)throw Error(`${i} does not have CPU value`);let s=new t.ValueType(t.length*t.size),c=Array(t.size).fill(0);for(let e=0;e<t.length;e++){let n=HS(r,e),a=Number(n[0]),o=XS(a,i.length)?HS(i,a):c;s.set(o,e*t.size)}return n.write(s),{success:!0,value:s}};function XS(e,t){return Number.isInteger(e)&&e>=0&&e<t}var ZS=({inputs:e,output:t,target:n})=>VS({func:(e,...t)=>{let n=0;for(let r of t)e.set(r,n),n+=r.length},inputs:e,output:t,outputBuffer:n}),QS=({inputs:e,output:t,target:n})=>{let{x:r,y:i}=e,a=new t.ValueType(t.length);for(let e=0;e<t.length;e++){let t=HS(r,e),n=HS(i,e),o=0;for(let e=0;e<r.size;e++)o+=t[e]*n[e];a[e]=o}return n.write(a),{success:!0,value:a}},$S=({inputs:e,output:t,target:n})=>{let{x:r,y:i}=e,a=new t.ValueType(t.length);for(let e=0;e<t.length;e++){let t=HS(r,e),n=HS(i,e),o=1;for(let e=0;e<r.size;e++)if(t[e]!==n[e]){o=0;break}a[e]=o}return n.write(a),{success:!0,value:a}},eC=({inputs:e,output:t,target:n})=>{let{x:r}=e,i=new t.ValueType(t.length);for(let e=0;e<t.length;e++){let t=HS(r,e),n=0;for(let e=0;e<r.size;e++)n+=t[e]*t[e];i[e]=Math.sqrt(n)}return n.write(i),{success:!0,value:i}},tC=async({inputs:e,output:t,target:n})=>{let{segments:r,vertexCount:i}=e,a=r.value;if(!a)throw Error(`${r} does not have CPU value`);nC(a,r,i);let o=new t.ValueType(t.length*t.size),s=0;for(let e=0;e<i;e++){for(;s+1<r.length&&a[rC(r,s+1)]<=e;)s++;let n=a[rC(r,s)],i=e*t.size;o[i]=s,o[i+1]=e-n}return n.write(o),{success:!0,value:o}};function nC(e,t,n){if(t.length<1)throw Error(`segmentedMap segments must contain at least one segment start`);let r=0;for(let n=0;n<t.length;n++){let i=e[rC(t,n)];if(n===0&&i!==0)throw Error(`segmentedMap segments must start at 0, got ${i}`);if(n>0&&i<r)throw Error(`segmentedMap segments must be non-decreasing, got ${i} after ${r}`);r=i}if(r>n)throw Error(`segmentedMap last segment start must be <= vertexCount, got ${r} > ${n}`)}function rC(e,t){return e.offset/e.ValueType.BYTES_PER_ELEMENT+t*(e.stride/e.ValueType.BYTES_PER_ELEMENT)}var iC=async({inputs:e,output:t,target:n})=>{let{condition:r,whenTrue:i,whenFalse:a}=e,o=new t.ValueType(t.length*t.size);for(let e=0;e<t.length;e++){let n=HS(r,e),s=HS(i,e),c=HS(a,e);for(let l=0;l<t.size;l++){let u=aC(n,r.size,l);o[e*t.size+l]=u===0?aC(c,a.size,l):aC(s,i.size,l)}}return n.write(o),{success:!0,value:o}};function aC(e,t,n){return n<t?e[n]:t===1?e[0]:0}var oC=({inputs:e,output:t,target:n})=>{let r=new t.ValueType(t.length);for(let n=0;n<t.length;n++)r[n]=e.start+n*e.step;return n.write(r),{success:!0,value:r}},sC=({inputs:e,output:t,target:n})=>{let{columns:r}=e;return VS({func:(e,t)=>{for(let n=0;n<r.length;n++)e[n]=t[r[n]]},inputs:{x:e.x},output:t,outputBuffer:n})},cC=Ee({arithmetic:()=>WS,dot:()=>QS,equalAll:()=>$S,extent:()=>qS,fround:()=>JS,gather:()=>YS,interleave:()=>ZS,length:()=>eC,segmentedMap:()=>tC,select:()=>iC,sequence:()=>oC,swizzle:()=>sC}),lC=new class{_modules={cpu:cC};add(e,t){let n=this._modules[e];if(typeof t.then==`function`){let r=Promise.all([Promise.resolve(n||{}),t]).then(([e,t])=>({...e,...t}));return this._modules[e]=r,r.then(t=>{this._modules[e]=t}).catch(t=>{i.error(`Failed to register ${e} backend: ${t}`)()}),r}if(n&&typeof n.then==`function`){let r=Promise.resolve(n).then(e=>({...e,...t})).then(t=>(this._modules[e]=t,t)).catch(t=>{throw i.error(`Failed to register ${e} backend: ${t}`)(),t});return this._modules[e]=r,r}let r={...n||{},...t};return this._modules[e]=r,Promise.resolve(r)}async get(e,t){let n=this._modules[e];if(!n){if(e===`webgl`)n=this.add(`webgl`,iy(()=>import(`./webgl-CTF8QeUz.js`),__vite__mapDeps([0,1,2,3]),import.meta.url));else if(e===`webgpu`)n=this.add(`webgpu`,iy(()=>Promise.resolve().then(()=>Tw),void 0,import.meta.url));else throw Error(`${e} backend not registered`)}let r=(await n)[t];if(typeof r!=`function`)throw Error(`${e} backend does not implement ${t}`);return r}getSync(e,t){let n=this._modules[e];if(!n)throw Error(`${e} backend not registered`);if(typeof n.then==`function`)throw Error(`${e} backend is not loaded yet`);let r=n[t];if(typeof r!=`function`)throw Error(`${e} backend does not implement ${t}`);return r}clear(){this._modules={}}},uC=class{inputs;dependencies;constructor(e){this.inputs=e,this.dependencies=Array.from(e instanceof Array?e:Object.values(e)).filter(e=>e instanceof ae)}async execute(e,t){return await this._resolveDependencies(e),await this._executeWithHandler(await lC.get(this._getHandlerRegistry(e),this.name),t)}executeSync(e,t){this._resolveDependenciesSync(e);let n=this._executeWithHandler(lC.getSync(this._getHandlerRegistry(e),this.name),t);if(dC(n))throw Error(`${this.name} returned a Promise in executeSync()`);return n}shouldExecuteOnCPU(){return this.output.length<=1&&Array.from(this.dependencies).every(e=>!!e.value)}_getHandlerRegistry(e){return this.shouldExecuteOnCPU()?`cpu`:e.type}async _resolveDependencies(e){for(let t of this.dependencies)await t.evaluate(e);if(this._getHandlerRegistry(e)===`cpu`||e.type===`null`)for(let e of this.dependencies)await e.ensureCPUValue()}_resolveDependenciesSync(e){for(let t of this.dependencies)t.evaluateSync(e);if(this._getHandlerRegistry(e)===`cpu`||e.type===`null`)for(let e of this.dependencies)e.ensureCPUValueSync()}_executeWithHandler(e,t){return e({device:t.device,inputs:this.inputs,output:this.output,target:t})}};function dC(e){return typeof e?.then==`function`}function fC(...e){let t=pC(e.map(e=>e.type));return t[0]!==`f`&&e.some(e=>e.normalized)&&(t=`float32`),{isConstant:e.every(e=>e.isConstant),type:t,size:e.reduce((e,t)=>Math.max(e,t.size),0),length:e.reduce((e,t)=>Math.max(e,t.length),0)}}function pC(e){let t=0,n=0;for(let r of e){if(r[0]===`f`)return`float32`;let e=r.endsWith(`8`)?8:r.endsWith(`6`)?16:32;r[0]===`u`?t=Math.max(t,e):n=Math.max(n,e)}return t&&!n?`uint${t}`:n&&t<32?`sint${Math.max(n,t*2)}`:`float32`}var mC=class extends uC{name=`interleave`;output;constructor(e){super(e);let{isConstant:t,type:n,length:r}=fC(...e);this.output=new ae({isConstant:t,type:n,size:e.reduce((e,t)=>e+t.size,0),length:r,source:this})}toString(){return`_${this.inputs.join(`_`)}_`}};function hC(...e){if(e.length===0)throw Error(`interleave() requires at least one input`);return e.length===1?j(e[0]):new mC(e.map(j)).output}function gC(e,t){let n=vC(t);for(let t of n)t.evaluateSync(e);return _C(n),t}function _C(e){let t=new Set(e.flatMap(SC)),n=new Set;for(let t of e)xC(t,n);for(let e of n)e.evaluated&&!t.has(e.buffer)&&e.destroy()}function vC(e){let t=new Set;return yC(e,t,new Set),Array.from(t)}function yC(e,t,n){if(CC(e))t.add(e);else if(e&&typeof e==`object`&&!n.has(e)){if(n.add(e),Array.isArray(e))for(let r of e)yC(r,t,n);else if(bC(e))for(let r of Object.values(e))yC(r,t,n)}}function bC(e){let t=Object.getPrototypeOf(e);return t===Object.prototype||t===null}function xC(e,t){if(e instanceof RS){for(let n of e.gpuDataEvaluators)xC(n,t);return}let n=e.source;if(n){if(n instanceof ae)t.has(n)||(t.add(n),xC(n,t));else for(let e of n.dependencies)t.has(e)||(t.add(e),xC(e,t))}}function SC(e){return e instanceof ae?[e.buffer]:e.gpuVector.data.map(e=>e.buffer instanceof M?e.buffer.buffer:e.buffer)}function CC(e){return e instanceof ae||e instanceof RS}var wC=65535;function TC(e,t){let n=OC(t),r=Math.max(1,Math.ceil(e)),i=Math.min(r,n),a=Math.min(Math.ceil(r/i),n),o=Math.ceil(r/i/a);if(o>n)throw Error(`WebGPU dispatch requires ${r} workgroups, exceeding the 3D dispatch limit of ${n} per dimension`);return{x:i,y:a,z:o}}function EC(e,t=`workgroupId`){return`((${t}.z * ${e.y}u + ${t}.y) * ${e.x}u + ${t}.x)`}function DC(e,t,n=`workgroupId`,r=`localId`){return`(${EC(e,n)} * ${t}u + ${r}.x)`}function OC(e){return Number.isFinite(e)&&e>0?Math.floor(e):wC}function kC(e,t){switch(e){case`u32`:return`${t}u`;case`f32`:return Number.isInteger(t)?`${t}.0`:`${t}`;default:return`${t}`}}function AC(e,t){switch(e){case`uint32`:return kC(`u32`,Math.trunc(t));case`sint32`:return`${Math.trunc(t)}`;case`float32`:return kC(`f32`,t);default:throw Error(`WebGPU operations only support 32-bit output types, got ${e}`)}}function jC(e){switch(e){case`uint32`:return`0u`;case`sint32`:return`0`;case`float32`:return`0.0`;default:throw Error(`WebGPU operations only support 32-bit output types, got ${e}`)}}function MC(e){switch(e){case`uint32`:return`u32`;case`sint32`:return`i32`;case`float32`:return`f32`;default:throw Error(`WebGPU operations only support 32-bit storage types, got ${e}`)}}var NC=64,PC=`GPGPU Operation Counts`,FC=`Computation Runs`,IC=new T;function LC({module:e,elementWise:t=!1,expression:n,inputs:r,output:i,operationType:a=i.type,outputBuffer:o}){if(!e.source)throw Error(`WebGPU computation ${e.name} requires WGSL source`);let s=UC(r),c=s.map(([e,t])=>({name:e,input:t})),l=c.filter(({input:e})=>!e.isConstant).map((e,t)=>({...e,index:t})),u=MC(a),d=MC(i.type),f={TYPE:u,RESULT_LEN:i.size.toString()},p=TC(Math.ceil(i.length/NC),o.device.limits.maxComputeWorkgroupsPerDimension);for(let[e,t]of s)f[`${e.toUpperCase()}_LEN`]=t.size.toString();let m=`
${GC(e.source,f)}
${l.map(({name:e,input:t,index:n})=>RC(e,t,n)).join(`
`)}
${c.map(({name:e,input:t})=>zC(e,t,a)).join(`
`)}
${BC(i,l.length)}
${VC(i)}

@compute @workgroup_size(${NC}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${DC(p,NC)};
  if (rowIndex >= ${i.length}u) {
    return;
  }

${c.map(({name:e})=>`  let ${e} = read_${e}(rowIndex);`).join(`
`)}
  var result: array<${d}, ${i.size}>;
${HC(e.name,s,i,t,n)}
  write_result(rowIndex, result);
}
`,h=new $g(o.device,{source:m,modules:e.dependencies,shaderAssembler:IC,shaderLayout:{bindings:[...l.map(({name:e},t)=>({name:e,type:`storage`,group:0,location:t})),{name:`result`,type:`storage`,group:0,location:l.length}]}}),g=Object.fromEntries(l.map(({name:e,input:t})=>[e,t.buffer]));g.result=o,h.setBindings(g);let _=o.device.beginComputePass({});o.device.statsManager.getStats(PC).get(FC).incrementCount(),h.dispatch(_,p.x,p.y,p.z),_.end(),o.device.submit(),h.destroy()}function RC(e,t,n){return t.isConstant?``:`@group(0) @binding(${n}) var<storage, read> ${e}: array<${MC(t.type)}>;`}function zC(e,t,n){let r=MC(n),i=t.type===n?``:r,a=t.stride/t.ValueType.BYTES_PER_ELEMENT,o=t.offset/t.ValueType.BYTES_PER_ELEMENT;return t.isConstant?`fn read_${e}(_rowIndex: u32) -> array<${r}, ${t.size}> {
  return array<${r}, ${t.size}>(${WC(t,i)});
}`:`fn read_${e}(rowIndex: u32) -> array<${r}, ${t.size}> {
  var value: array<${r}, ${t.size}>;
  let rowOffset = ${o}u + rowIndex * ${a}u;
${Array.from({length:t.size},(t,n)=>i?`  value[${n}] = ${i}(${e}[rowOffset + ${n}u]);`:`  value[${n}] = ${e}[rowOffset + ${n}u];`).join(`
`)}
  return value;
}`}function BC(e,t){return`@group(0) @binding(${t}) var<storage, read_write> result: array<${MC(e.type)}>;`}function VC(e){let t=e.stride/e.ValueType.BYTES_PER_ELEMENT,n=e.offset/e.ValueType.BYTES_PER_ELEMENT;return`fn write_result(rowIndex: u32, value: array<${MC(e.type)}, ${e.size}>) {
  let rowOffset = ${n}u + rowIndex * ${t}u;
${Array.from({length:e.size},(e,t)=>`  result[rowOffset + ${t}u] = value[${t}];`).join(`
`)}
}`}function HC(e,t,n,r,i){let a=``;if(i)for(let e=0;e<n.size;e++)a+=`  result[${e}] = ${i(e)};\n`;else if(r){let r=jC(n.type),i=MC(n.type);for(let o=0;o<n.size;o++){let n=t.map(([e,t])=>o<t.size?MC(t.type)===i?`${e}[${o}]`:`${i}(${e}[${o}])`:r);a+=`  result[${o}] = ${e}(${n.join(`, `)});\n`}}else a+=`result = ${e}(${t.map(([e])=>e).join(`, `)});`;return a.trimEnd()}function UC(e){return Array.isArray(e)?e.map((e,t)=>[`x${t}`,e]):Object.entries(e)}function WC(e,t){let n=e.value;if(!n)throw Error(`Constant input ${e} is missing CPU values`);return Array.from({length:e.size},(e,r)=>kC(t,n[r]??0)).join(`, `)}function GC(e,t){for(let n in t)e=e.replaceAll(`{${n}}`,t[n]);return e}var KC=`fn arithmetic_add(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x + y;
}

fn arithmetic_subtract(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x - y;
}

fn arithmetic_multiply(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x * y;
}

fn arithmetic_divide(x: {TYPE}, y: {TYPE}) -> {TYPE} {
  return x / y;
}

fn arithmetic_tan(x: f32) -> f32 {
  return tan_fp32(x);
}
`,qC=({inputs:e,output:t,target:n})=>{let r=t.type,i=MC(r),a=jC(r),o=e.namedInputs;return LC({module:{name:`arithmetic`,source:KC,dependencies:[C]},inputs:o,output:t,operationType:r,outputBuffer:n,expression:t=>N(e.expression,{operations:ne,inputs:o,laneIndex:t,formatInput:e=>`${e}[${t}]`,formatOutOfBoundsInput:e=>o[e].size===1?`${e}[0]`:a,formatLiteral:e=>{let n=Array.isArray(e)?e[t]??0:e;return`${i}(${AC(r,n)})`},formatCall:(e,t)=>`${e}(${t.join(`, `)})`})}),{success:!0}},JC=`fn row_dot(x: array<{TYPE}, {X_LEN}>, y: array<{TYPE}, {Y_LEN}>) -> array<f32, 1> {
  var sum = 0.0;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    sum += f32(x[i]) * f32(y[i]);
  }
  return array<f32, 1>(sum);
}
`,YC=({inputs:e,output:t,target:n})=>(LC({module:{name:`row_dot`,source:JC},inputs:e,output:t,operationType:`float32`,outputBuffer:n}),{success:!0}),XC=`fn equalAll(x: array<{TYPE}, {X_LEN}>, y: array<{TYPE}, {Y_LEN}>) -> array<u32, 1> {
  var allEqual = 1u;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    if (x[i] != y[i]) {
      allEqual = 0u;
      break;
    }
  }
  return array<u32, 1>(allEqual);
}
`,ZC=({inputs:e,output:t,target:n})=>(LC({module:{name:`equalAll`,source:XC},inputs:e,output:t,operationType:e.x.type,outputBuffer:n}),{success:!0});function QC(e,t,n){return`@group(0) @binding(${n}) var<storage, read> ${e}: array<${MC(t.type)}>;`}function $C(e,t,n,r=e){let i=MC(n);if(t.isConstant){let e=t.value;if(!e)throw Error(`Constant input ${t} is missing CPU values`);return`fn read_${r}(_sourceIndex: u32) -> array<${i}, ${t.size}> {
  return array<${i}, ${t.size}>(${Array.from({length:t.size},(t,n)=>kC(i,e[n]??0)).join(`, `)});
}`}let a=t.stride/t.ValueType.BYTES_PER_ELEMENT,o=t.offset/t.ValueType.BYTES_PER_ELEMENT,s=MC(t.type)===i?``:`${i}`;return`fn read_${r}(sourceIndex: u32) -> array<${i}, ${t.size}> {
  var value: array<${i}, ${t.size}>;
  let rowOffset = ${o}u + sourceIndex * ${a}u;
${Array.from({length:t.size},(t,n)=>s?`  value[${n}] = ${s}(${e}[rowOffset + ${n}u]);`:`  value[${n}] = ${e}[rowOffset + ${n}u];`).join(`
`)}
  return value;
}`}function ew(e,t){return $C(`sourceValues`,e,t,`source_values`)}function tw(e,t){return`@group(0) @binding(${t}) var<storage, read_write> result: array<${MC(e.type)}>;`}function nw(e){let t=e.stride/e.ValueType.BYTES_PER_ELEMENT,n=e.offset/e.ValueType.BYTES_PER_ELEMENT;return`fn write_result(rowIndex: u32, value: array<${MC(e.type)}, ${e.size}>) {
  let rowOffset = ${n}u + rowIndex * ${t}u;
${Array.from({length:e.size},(e,t)=>`  result[rowOffset + ${t}u] = value[${t}];`).join(`
`)}
}`}function rw(e,t){let n=jC(e);return`fn zero_result() -> array<${MC(e)}, ${t}> {
  var result: array<${MC(e)}, ${t}>;
${Array.from({length:t},(e,t)=>`  result[${t}] = ${n};`).join(`
`)}
  return result;
}`}var iw=({inputs:e,output:t,target:n})=>{let{sourceValues:r}=e;if(r.length===0){let e=new t.ValueType(t.length*t.size);return n.write(e),{success:!0,value:e}}if(r.isConstant){let e=r.value;if(!e)throw Error(`Constant input ${r} is missing CPU values`);let i=new t.ValueType(t.length*t.size);for(let n=0;n<t.length;n++){let t=e[n];i[n*2]=t,i[n*2+1]=t}return n.write(i),{success:!0,value:i}}let i=[],a=r,o=`raw`,s=r.length;try{for(;;){let e=Math.ceil(s/64),r=t.length*e,c=e===1?n:w.createOrReuse(n.device,r*t.stride);if(e>1&&i.push(c),aw({input:a,inputMode:o,inputGroupCount:s,channelCount:t.length,outputType:t.type,outputBuffer:c,outputLength:r,outputStride:t.stride,outputOffset:t.offset}),e===1)break;a=new ae({buffer:c,type:t.type,size:2,length:r}),o=`partial`,s=e}return{success:!0}}finally{for(let e of i)w.recycle(e)}};function aw({input:e,inputMode:t,inputGroupCount:n,channelCount:r,outputType:i,outputBuffer:a,outputLength:o,outputStride:s,outputOffset:c}){let l=MC(i),u=TC(o,a.device.limits.maxComputeWorkgroupsPerDimension),d=new ae({buffer:a,type:i,size:2,length:o,stride:s,offset:c}),f=`
${e.isConstant?``:QC(`sourceValues`,e,0)}
${ew(e,i)}
${tw(d,+!e.isConstant)}
${nw(d)}
${ow(t,i,r,n)}

var<workgroup> sharedMin: array<${l}, 64>;
var<workgroup> sharedMax: array<${l}, 64>;

@compute @workgroup_size(64) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let outputRowIndex = ${EC(u)};
  if (outputRowIndex >= ${o}u) {
    return;
  }

  let channelIndex = outputRowIndex % ${r}u;
  let outputGroupIndex = outputRowIndex / ${r}u;
  let inputGroupIndex = outputGroupIndex * 64u + localId.x;

  let result = extent_pass(channelIndex, inputGroupIndex);
  sharedMin[localId.x] = result[0];
  sharedMax[localId.x] = result[1];
  workgroupBarrier();

  var stride = 32u;
  loop {
    if (stride == 0u) {
      break;
    }
    if (localId.x < stride) {
      let compareIndex = localId.x + stride;
      if (sharedMin[compareIndex] < sharedMin[localId.x]) {
        sharedMin[localId.x] = sharedMin[compareIndex];
      }
      if (sharedMax[compareIndex] > sharedMax[localId.x]) {
        sharedMax[localId.x] = sharedMax[compareIndex];
      }
    }
    workgroupBarrier();
    stride = stride / 2u;
  }

  if (localId.x == 0u) {
    write_result(outputRowIndex, array<${l}, 2>(sharedMin[0], sharedMax[0]));
  }
}
`,p=new $g(a.device,{source:f,shaderLayout:{bindings:[...e.isConstant?[]:[{name:`sourceValues`,type:`storage`,group:0,location:0}],{name:`result`,type:`storage`,group:0,location:+!e.isConstant}]}}),m={result:a};e.isConstant||(m.sourceValues=e.buffer),p.setBindings(m);let h=a.device.beginComputePass({});p.dispatch(h,u.x,u.y,u.z),h.end(),a.device.submit(),p.destroy()}function ow(e,t,n,r){let i=MC(t),[a,o]=sw(t);return e===`raw`?`fn extent_pass(channelIndex: u32, inputGroupIndex: u32) -> array<${i}, 2> {
  var result: array<${i}, 2>;
  result[0] = ${a};
  result[1] = ${o};

  if (inputGroupIndex < ${r}u) {
    let value = read_source_values(inputGroupIndex);
    result[0] = value[channelIndex];
    result[1] = value[channelIndex];
  }

  return result;
}`:`fn extent_pass(channelIndex: u32, inputGroupIndex: u32) -> array<${i}, 2> {
  var result: array<${i}, 2>;
  result[0] = ${a};
  result[1] = ${o};

  if (inputGroupIndex < ${r}u) {
    let rowIndex = inputGroupIndex * ${n}u + channelIndex;
    let value = read_source_values(rowIndex);
    result[0] = value[0];
    result[1] = value[1];
  }

  return result;
}`}function sw(e){switch(e){case`uint32`:return[`0xffffffffu`,`0u`];case`sint32`:return[`2147483647`,`-2147483648`];case`float32`:return[`3.402823e38`,`-3.402823e38`];default:throw Error(`Unsupported WebGPU extent type for ${e}`)}}function cw(){let e=new Uint16Array([255]);return new Uint8Array(e.buffer)[0]>0}var lw=`\
const LE: bool = ${cw()?`true`:`false`};
const F32_NAN: u32 = 0xffffffffu;
const F32_INF: u32 = 0x7f800000u;

fn roundShiftRight(value: u32, shift: i32) -> u32 {
  if (shift <= 0) {
    return value << u32(-shift);
  }

  if (shift >= 32) {
    if (shift == 32 && value > 0x80000000u) {
      return 1u;
    }
    return 0u;
  }

  let shiftU32 = u32(shift);
  let truncated = value >> shiftU32;
  let halfShift = 1u << u32(shift - 1);
  let remainder = value & ((1u << shiftU32) - 1u);
  if (remainder > halfShift || (remainder == halfShift && (truncated & 1u) == 1u)) {
    return truncated + 1u;
  }
  return truncated;
}

fn makeFloatImmediate(sign: u32, exponent: i32, mantissa: u32) -> u32 {
  return (sign << 31u) | (u32(exponent + 127) << 23u) | (mantissa & 0x7fffffu);
}

fn makeFloat(sign: u32, exponent: i32, significand: u32) -> u32 {
  if (significand == 0u) {
    return sign << 31u;
  }

  let leadingZeros = i32(countLeadingZeros(significand));
  var normalizedExponent = exponent + 31 - leadingZeros;

  if (normalizedExponent > 127) {
    return (sign << 31u) | F32_INF;
  }

  var mantissa: u32;
  if (normalizedExponent >= -126) {
    mantissa = roundShiftRight(significand, 8 - leadingZeros);
    if (mantissa >= 0x1000000u) {
      mantissa = mantissa >> 1u;
      normalizedExponent += 1;
      if (normalizedExponent > 127) {
        return (sign << 31u) | F32_INF;
      }
    }
    return makeFloatImmediate(sign, normalizedExponent, mantissa);
  }

  let subnormalShift = -149 - exponent;
  mantissa = roundShiftRight(significand, subnormalShift);
  if (mantissa >= 0x800000u) {
    return (sign << 31u) | (1u << 23u);
  }
  return (sign << 31u) | mantissa;
}

fn parseAsDouble(words: vec2<u32>) -> vec2<u32> {
  var d = words;
  if (LE) {
    d = d.yx;
  }

  let sign = (d.x >> 31u) & 1u;
  let exponentBits = (d.x >> 20u) & 0x7ffu;
  let exponent = i32(exponentBits) - 1023;
  let fractionHigh = d.x & 0xfffffu;
  let fractionLow = d.y;

  if (exponentBits == 0x7ffu) {
    if (fractionHigh == 0u && fractionLow == 0u) {
      return vec2<u32>((sign << 31u) | F32_INF, F32_NAN);
    }
    return vec2<u32>(F32_NAN);
  }

  if (exponentBits == 0u) {
    return vec2<u32>(sign << 31u);
  }

  if (exponent > 127) {
    return vec2<u32>((sign << 31u) | F32_INF, ((1u - sign) << 31u) | F32_INF);
  }

  let highSignificand = 0x800000u | (fractionHigh << 3u) | (fractionLow >> 29u);
  let lowSignificand = fractionLow & 0x1fffffffu;

  if (exponent < -126) {
    let highPart = makeFloat(sign, exponent - 23, highSignificand);
    let lowPart = makeFloat(sign, exponent - 52, lowSignificand);
    return vec2<u32>(highPart, lowPart);
  }

  let roundUp = lowSignificand > 0x10000000u ||
    (lowSignificand == 0x10000000u && (highSignificand & 1u) == 1u);

  var roundedSignificand = highSignificand + select(0u, 1u, roundUp);
  var highExponent = exponent;
  if (roundedSignificand == 0x1000000u) {
    roundedSignificand = 0x800000u;
    highExponent += 1;
  }

  if (highExponent > 127) {
    return vec2<u32>((sign << 31u) | F32_INF, ((1u - sign) << 31u) | F32_INF);
  }

  let highPart = makeFloatImmediate(sign, highExponent, roundedSignificand);

  var remainder = i32(lowSignificand);
  var lowSign = sign;
  if (roundUp) {
    remainder -= 0x20000000;
  }
  if (remainder < 0) {
    lowSign = 1u - sign;
    remainder = -remainder;
  }

  let lowPart = makeFloat(lowSign, exponent - 52, u32(remainder));
  return vec2<u32>(highPart, lowPart);
}

fn fround(x: array<u32, {X_LEN}>) -> array<f32, {RESULT_LEN}> {
  var result: array<f32, {RESULT_LEN}>;
  let n = {X_LEN}u / 2u;
  for (var i = 0u; i < n; i = i + 1u) {
    let parts = parseAsDouble(vec2<u32>(x[i * 2u], x[i * 2u + 1u]));
    result[i] = bitcast<f32>(parts.x);
    result[i + n] = bitcast<f32>(parts.y);
  }
  return result;
}
`,uw=({inputs:e,output:t,target:n})=>(LC({module:{name:`fround`,source:lw},inputs:e,output:t,operationType:`uint32`,outputBuffer:n}),{success:!0}),dw=async({inputs:e,output:t,target:n})=>{let{ids:r,sourceValues:i}=e,a=MC(r.type),o=[];r.isConstant||o.push({name:`ids`,input:r,index:o.length}),i.isConstant||o.push({name:`sourceValues`,input:i,index:o.length});let s=TC(Math.ceil(t.length/64),n.device.limits.maxComputeWorkgroupsPerDimension),c=`
${o.map(({name:e,input:t,index:n})=>QC(e,t,n)).join(`
`)}
${fw(r,a)}
${ew(i,t.type)}
${tw(t,o.length)}
${nw(t)}
${rw(t.type,t.size)}
${pw(r.type,t.type,t.size,i.length)}

@compute @workgroup_size(64) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${DC(s,64)};
  if (rowIndex >= ${t.length}u) {
    return;
  }

  let idsValue = read_ids(rowIndex);
  let result = gather(idsValue);
  write_result(rowIndex, result);
}
`,l=new $g(n.device,{source:c,shaderLayout:{bindings:[...o.map(({name:e,index:t})=>({name:e,type:`storage`,group:0,location:t})),{name:`result`,type:`storage`,group:0,location:o.length}]}}),u={};r.isConstant||(u.ids=r.buffer),i.isConstant||(u.sourceValues=i.buffer),u.result=n,l.setBindings(u);let d=n.device.beginComputePass({});return l.dispatch(d,s.x,s.y,s.z),d.end(),n.device.submit(),l.destroy(),{success:!0}};function fw(e,t){if(e.isConstant){let n=e.value;if(!n)throw Error(`Constant input ${e} is missing CPU values`);return`fn read_ids(_rowIndex: u32) -> ${t} {
  return ${kC(t,n[0]??0)};
}`}let n=e.stride/e.ValueType.BYTES_PER_ELEMENT;return`fn read_ids(rowIndex: u32) -> ${t} {
  let rowOffset = ${e.offset/e.ValueType.BYTES_PER_ELEMENT}u + rowIndex * ${n}u;
  return ids[rowOffset];
}`}function pw(e,t,n,r){let i=MC(e);return`fn gather(idsValue: ${i}) -> array<${MC(t)}, ${n}> {
  let sourceIndex = ${i===`u32`?`i32(idsValue)`:i===`i32`?`idsValue`:`i32(idsValue)`};
  if (sourceIndex < 0 || sourceIndex >= ${r}) {
    return zero_result();
  }
  return read_source_values(u32(sourceIndex));
}`}var mw=async({inputs:e,output:t,target:n})=>{let{segments:r}=e,i=r.isConstant?[]:[{name:`segments`,input:r,index:0}],a=TC(Math.ceil(t.length/64),n.device.limits.maxComputeWorkgroupsPerDimension),o=`
${i.map(({name:e,input:t,index:n})=>QC(e,t,n)).join(`
`)}
${$C(`segments`,r,`uint32`)}
${tw(t,i.length)}
${nw(t)}
${hw(r.length)}

@compute @workgroup_size(64) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${DC(a,64)};
  if (rowIndex >= ${t.length}u) {
    return;
  }

  let result = segmented_map(rowIndex);
  write_result(rowIndex, result);
}
`,s=new $g(n.device,{source:o,shaderLayout:{bindings:[...i.map(({name:e,index:t})=>({name:e,type:`storage`,group:0,location:t})),{name:`result`,type:`storage`,group:0,location:i.length}]}}),c=Object.fromEntries(i.map(({name:e,input:t})=>[e,t.buffer]));c.result=n,s.setBindings(c);let l=n.device.beginComputePass({});return s.dispatch(l,a.x,a.y,a.z),l.end(),n.device.submit(),s.destroy(),{success:!0}};function hw(e){return`fn segmented_map(vertexIndex: u32) -> array<u32, 2> {
  var low = 0i;
  var high = ${e}i;
  while (low < high) {
    let mid = low + (high - low) / 2i;
    let midStart = read_segments(u32(mid))[0];
    if (midStart <= vertexIndex) {
      low = mid + 1i;
    } else {
      high = mid;
    }
  }

  let segmentIndex = u32(max(low - 1i, 0i));
  let segmentStart = read_segments(segmentIndex)[0];
  return array<u32, 2>(segmentIndex, vertexIndex - segmentStart);
}`}var gw=({inputs:e,output:t,target:n})=>{let r=e.map((e,t)=>[`x${t}`,e]);_w(n.device.limits,r);let i=r.map(([e,t])=>`${e}: array<{TYPE}, ${t.size}>`).join(`, `),a=0;return LC({module:{name:`interleave`,source:`\
fn interleave(${i}) -> array<{TYPE}, {RESULT_LEN}> {
  var out: array<{TYPE}, {RESULT_LEN}>;
${r.map(([e,t])=>{let n=Array.from({length:t.size},(t,n)=>`  out[${a+n}] = ${e}[${n}];`).join(`
`);return a+=t.size,n}).join(`
`)}
  return out;
}
`},inputs:e,output:t,outputBuffer:n}),{success:!0}};function _w(e,t){let n=t.filter(([,e])=>!e.isConstant).length+1;if(n>e.maxStorageBuffersPerShaderStage)throw Error(`interleave() requires ${n} storage buffers, exceeding device limit ${e.maxStorageBuffersPerShaderStage}`);if(n>e.maxBindingsPerBindGroup)throw Error(`interleave() requires ${n} bindings, exceeding bind group limit ${e.maxBindingsPerBindGroup}`)}var vw=`fn row_length(x: array<{TYPE}, {X_LEN}>) -> array<f32, 1> {
  var sum = 0.0;
  for (var i = 0u; i < {X_LEN}u; i = i + 1u) {
    sum += f32(x[i]) * f32(x[i]);
  }
  return array<f32, 1>(sqrt(sum));
}
`,yw=({inputs:e,output:t,target:n})=>(LC({module:{name:`row_length`,source:vw},inputs:e,output:t,operationType:`float32`,outputBuffer:n}),{success:!0}),bw=async({inputs:e,output:t,target:n})=>{let r=jC(t.type);return LC({module:{name:`select`,source:`// inline expression select
`},inputs:e,output:t,operationType:t.type,outputBuffer:n,expression:t=>{let n=xw(`condition`,e.condition,t,r),i=xw(`whenTrue`,e.whenTrue,t,r);return`select(${xw(`whenFalse`,e.whenFalse,t,r)}, ${i}, ${n} != ${r})`}}),{success:!0}};function xw(e,t,n,r){return n<t.size?`${e}[${n}]`:t.size===1?`${e}[0]`:r}var Sw=64,Cw=({inputs:e,output:t,target:n})=>{let r=TC(Math.ceil(t.length/Sw),n.device.limits.maxComputeWorkgroupsPerDimension),i=`\
@group(0) @binding(0) var<storage, read_write> result: array<i32>;

@compute @workgroup_size(${Sw}) fn main(
  @builtin(workgroup_id) workgroupId: vec3<u32>,
  @builtin(local_invocation_id) localId: vec3<u32>
) {
  let rowIndex = ${DC(r,Sw)};
  if (rowIndex >= ${t.length}u) {
    return;
  }

  let rowOffset = ${t.offset/t.ValueType.BYTES_PER_ELEMENT}u + rowIndex * ${t.stride/t.ValueType.BYTES_PER_ELEMENT}u;
  result[rowOffset] = ${e.start} + i32(rowIndex) * ${e.step};
}
`,a=new $g(n.device,{source:i,shaderLayout:{bindings:[{name:`result`,type:`storage`,group:0,location:0}]}});a.setBindings({result:n});let o=n.device.beginComputePass({});return a.dispatch(o,r.x,r.y,r.z),o.end(),n.device.submit(),a.destroy(),{success:!0}},ww=({inputs:e,output:t,target:n})=>{let{columns:r}=e;return LC({module:{name:`swizzle`,source:`// swizzle expression handled inline`},expression:e=>`x[${r[e]}]`,inputs:{x:e.x},output:t,outputBuffer:n}),{success:!0}},Tw=Ee({arithmetic:()=>qC,dot:()=>YC,equalAll:()=>ZC,extent:()=>iw,fround:()=>uw,gather:()=>dw,interleave:()=>gw,length:()=>yw,segmentedMap:()=>mw,select:()=>bw,sequence:()=>Cw,swizzle:()=>ww}),Ew=class{constructor(e,{id:t,isTransitionAttribute:n}){this.packedBuffers={},this.device=e,this.id=t,this.isTransitionAttribute=n,this.device.type===`webgpu`&&lC.add(`webgpu`,{interleave:gw})}hasGroups(e){return this.device.type===`webgpu`&&Object.values(e).some(e=>!!e.settings.bufferGroup)}finalize(){for(let e of Object.values(this.packedBuffers))e.packed.destroy();this.packedBuffers={}}getBufferLayouts(e,t){let n=this._getPackedGroups(e,t,{requireValues:!1,excludeAttributes:{}});return this._getBufferLayouts(e,n,t)}getBindings(e,t,n,r){let i=this._getPackedGroups(e,n,{requireValues:!0,excludeAttributes:r}),a={},o=new Set;for(let e of i.values()){let n=!this.packedBuffers[e.id]||e.attributes.some(e=>!!t[e.id]);a[e.id]=this._getPackedBuffer(e,n);for(let t of e.attributes)o.add(t.id)}return{bufferLayouts:this._getBufferLayouts(e,i,n).filter(t=>!r[t.name]&&!e[t.name]?.settings.isIndexed),buffers:a,groupedAttributeIds:o}}_getPackedGroups(e,t,{requireValues:n,excludeAttributes:r}){let i=new Map;for(let t of Object.values(e)){let e=t.settings.bufferGroup;if(!e)continue;let n=i.get(e)||[];n.push(t),i.set(e,n)}let a=new Map;for(let[e,o]of i){let i=this._getPackedGroup(e,o,t,n,r);i&&a.set(e,i)}return a}_getPackedGroup(e,t,n,r,i){if(t.length<2)return null;let a=t.map(e=>e.getBufferLayout(n)),o=a[0].stepMode,s=Math.max(1,t[0].numInstances),c=r&&t.every(e=>e.isConstant);for(let e=0;e<t.length;e++){let n=t[e],c=n.getAccessor(),l=c.size*c.bytesPerElement;if(i[n.id]||n.settings.isIndexed||n.settings.noAlloc||n.doublePrecision||this.isTransitionAttribute(n.id)||a[e].stepMode!==o||n.numInstances!==t[0].numInstances||(c.offset||0)!==0||(c.vertexOffset||0)!==0||SS(c)!==l||r&&(n.isConstant?!n.getConstantValue()||n.getConstantValue().byteLength<l:!ArrayBuffer.isView(n.value)||n.value.byteLength<s*l))return null}let l={},u=[],d=0;for(let e=0;e<t.length;e++){let n=t[e];d=Dw(d),l[n.id]=d;for(let t of a[e].attributes||[])u.push({...t,byteOffset:d+(t.byteOffset||0)});d+=SS(n.getAccessor())}return d=Dw(d),{id:e,attributes:t,byteStride:d,byteOffsets:l,rowCount:s,layout:{name:e,byteStride:c?0:d,stepMode:o,attributes:u}}}_getBufferLayouts(e,t,n){let r=[],i=new Set,a=new Set;for(let e of t.values())for(let t of e.attributes)a.add(t.id);for(let o of Object.values(e)){let e=o.settings.bufferGroup,s=e&&t.get(e);s&&a.has(o.id)?i.has(s.id)||(r.push(s.layout),i.add(s.id)):r.push(o.getBufferLayout(n))}return r}_getPackedBuffer(e,t){let n=JSON.stringify({byteStride:e.layout.byteStride,attributes:e.layout.attributes}),r=this.packedBuffers[e.id];if(r&&r.layoutKey===n||(t=!0),t){r&&(r.packed.destroy(),delete this.packedBuffers[e.id]);let t=this._interleavePackedGroup(e);return this.packedBuffers[e.id]={packed:t,layoutKey:n},t.buffer}if(!r)throw Error(`Attribute buffer group ${e.id} has no packed buffer`);return r.packed.buffer}_interleavePackedGroup(e){let t=hC(...e.attributes.map(t=>this._getInterleaveInput(e,t)));return gC(this.device,t),t}_getInterleaveInput(e,t){let n=SS(t.getAccessor()),r=e.byteOffsets[t.id];if(Ow(`${e.id}.${t.id} rowByteLength`,n),Ow(`${e.id}.${t.id} groupByteOffset`,r),t.isConstant){let r=t.getConstantValue();if(!r)throw Error(`Attribute group ${e.id} is missing constant value ${t.id}`);return Ow(`${e.id}.${t.id} constant byteOffset`,r.byteOffset),new ae({id:t.id,type:`uint32`,size:n/4,isConstant:!0,value:new Uint32Array(r.buffer,r.byteOffset,n/Uint32Array.BYTES_PER_ELEMENT)})}let i=t.getBuffer(),a=t.byteOffset,o=t.getAccessor().stride||n;if(Ow(`${e.id}.${t.id} byteOffset`,a),Ow(`${e.id}.${t.id} stride`,o),!i)throw Error(`Attribute group ${e.id} cannot interleave missing buffer ${t.id}`);return new ae({id:t.id,type:`uint32`,size:n/4,offset:a,stride:o,length:e.rowCount,buffer:i})}};function Dw(e){return Math.ceil(e/4)*4}function Ow(e,t){if(t%4!=0)throw Error(`Attribute buffer groups require 32-bit alignment: ${e}=${t}`)}function kw(e){let{source:t,target:n,start:r=0,size:i,getData:a}=e,o=e.end||n.length,s=t.length,c=o-r;if(s>c){n.set(t.subarray(0,c),r);return}if(n.set(t,r),!a)return;let l=s;for(;l<c;){let e=a(l,t);for(let t=0;t<i;t++)n[r+l]=e[t]||0,l++}}function Aw({source:e,target:t,size:n,getData:r,sourceStartIndices:i,targetStartIndices:a}){if(!i||!a)return kw({source:e,target:t,size:n,getData:r}),t;let o=0,s=0,c=r&&((e,t)=>r(e+s,t)),l=Math.min(i.length,a.length);for(let r=1;r<l;r++){let l=i[r]*n,u=a[r]*n;kw({source:e.subarray(o,l),target:t,start:s,end:u,size:n,getData:c}),o=l,s=u}return s<t.length&&kw({source:[],target:t,start:s,size:n,getData:c}),t}function jw(e){let{device:t,settings:n,value:r}=e,i=new LS(t,n);return i.setData({value:r instanceof Float64Array?new Float64Array:new Float32Array,normalized:n.normalized}),i}function Mw(e){switch(e){case 1:return`float`;case 2:return`vec2`;case 3:return`vec3`;case 4:return`vec4`;default:throw Error(`No defined attribute type for size "${e}"`)}}function Nw(e){switch(e){case 1:return`float32`;case 2:return`float32x2`;case 3:return`float32x3`;case 4:return`float32x4`;default:throw Error(`invalid type size`)}}function Pw(e){e.push(e.shift())}function Fw(e,t){let{settings:n,value:r,size:i}=e,a=e.isDoublePrecisionBuffer?2:1,o=0,{shaderAttributes:s}=e.settings;if(s)for(let e of Object.values(s))o=Math.max(o,e.vertexOffset??0);return(n.noAlloc?r.length:(t+o)*i)*a}function Iw({device:e,source:t,target:n}){return(!n||n.byteLength<t.byteLength)&&(n?.destroy(),n=e.createBuffer({byteLength:t.byteLength,usage:t.usage})),n}function Lw({device:e,buffer:t,attribute:n,fromLength:r,toLength:i,fromStartIndices:a,getData:o=e=>e}){let s=n.isDoublePrecisionBuffer?2:1,c=n.size*s,l=n.byteOffset,u=n.settings.bytesPerElement<4?l/n.settings.bytesPerElement*4:l,d=n.startIndices,f=a&&d,p=n.isConstant;if(!f&&t&&r>=i)return t;let m=n.value instanceof Float64Array?Float32Array:n.value.constructor,h=p?n.value:new m(n.getBuffer().readSyncWebGL(l,i*m.BYTES_PER_ELEMENT).buffer);if(n.settings.normalized&&!p){let e=o;o=(t,r)=>n.normalizeConstant(e(t,r))}let g=p?(e,t)=>o(h,t):(e,t)=>o(h.subarray(e+l,e+l+c),t),_=t?new Float32Array(t.readSyncWebGL(u,r*4).buffer):new Float32Array,v=new Float32Array(i);return Aw({source:_,target:v,sourceStartIndices:a,targetStartIndices:d,size:c,getData:g}),(!t||t.byteLength<v.byteLength+u)&&(t?.destroy(),t=e.createBuffer({byteLength:v.byteLength+u,usage:35050})),t.write(v,u),t}var Rw=class{constructor({device:e,attribute:t,timeline:n}){this.buffers=[],this.currentLength=0,this.device=e,this.transition=new F_(n),this.attribute=t,this.attributeInTransition=jw(t),this.currentStartIndices=t.startIndices}get inProgress(){return this.transition.inProgress}start(e,t,n=1/0){this.settings=e,this.currentStartIndices=this.attribute.startIndices,this.currentLength=Fw(this.attribute,t),this.transition.start({...e,duration:n})}update(){let e=this.transition.update();return e&&this.onUpdate(),e}setBuffer(e){let{stride:t}=this.attributeInTransition.getAccessor();this.attributeInTransition.setData({buffer:e,normalized:this.attribute.settings.normalized,value:this.attributeInTransition.value,stride:t})}cancel(){this.transition.cancel()}delete(){this.cancel();for(let e of this.buffers)e.destroy();this.buffers.length=0}},zw=class extends Rw{constructor({device:e,attribute:t,timeline:n}){super({device:e,attribute:t,timeline:n}),this.type=`interpolation`,this.transform=Ww(e,t)}start(e,t){let n=this.currentLength,r=this.currentStartIndices;if(super.start(e,t,e.duration),e.duration<=0){this.transition.cancel();return}let{buffers:i,attribute:a}=this;Pw(i),i[0]=Lw({device:this.device,buffer:i[0],attribute:a,fromLength:n,toLength:this.currentLength,fromStartIndices:r,getData:e.enter}),i[1]=Iw({device:this.device,source:i[0],target:i[1]}),this.setBuffer(i[1]);let{transform:o}=this,s=o.model,c=Math.floor(this.currentLength/a.size);Uw(a)&&(c/=2),s.setVertexCount(c),a.isConstant?(s.setAttributes({aFrom:i[0]}),s.setConstantAttributes({aTo:a.value})):s.setAttributes({aFrom:i[0],aTo:a.getBuffer()}),o.transformFeedback.setBuffers({vCurrent:i[1]})}onUpdate(){let{duration:e,easing:t}=this.settings,{time:n}=this.transition,r=n/e;t&&(r=t(r));let{model:i}=this.transform,a={time:r};i.shaderInputs.setProps({interpolation:a}),this.transform.run({discard:!0})}delete(){super.delete(),this.transform.destroy()}},Bw={name:`interpolation`,vs:`layout(std140) uniform interpolationUniforms {
  float time;
} interpolation;
`,uniformTypes:{time:`f32`}},Vw=`#version 300 es
#define SHADER_NAME interpolation-transition-vertex-shader

in ATTRIBUTE_TYPE aFrom;
in ATTRIBUTE_TYPE aTo;
out ATTRIBUTE_TYPE vCurrent;

void main(void) {
  vCurrent = mix(aFrom, aTo, interpolation.time);
  gl_Position = vec4(0.0);
}
`,Hw=`#version 300 es
#define SHADER_NAME interpolation-transition-vertex-shader

in ATTRIBUTE_TYPE aFrom;
in ATTRIBUTE_TYPE aFrom64Low;
in ATTRIBUTE_TYPE aTo;
in ATTRIBUTE_TYPE aTo64Low;
out ATTRIBUTE_TYPE vCurrent;
out ATTRIBUTE_TYPE vCurrent64Low;

vec2 mix_fp64(vec2 a, vec2 b, float x) {
  vec2 range = sub_fp64(b, a);
  return sum_fp64(a, mul_fp64(range, vec2(x, 0.0)));
}

void main(void) {
  for (int i=0; i<ATTRIBUTE_SIZE; i++) {
    vec2 value = mix_fp64(vec2(aFrom[i], aFrom64Low[i]), vec2(aTo[i], aTo64Low[i]), interpolation.time);
    vCurrent[i] = value.x;
    vCurrent64Low[i] = value.y;
  }
  gl_Position = vec4(0.0);
}
`;function Uw(e){return e.isDoublePrecisionBuffer}function Ww(e,t){let n=t.size,r=Mw(n),i=Nw(n),a=t.getBufferLayout();return Uw(t)?new Xg(e,{vs:Hw,bufferLayout:[{name:`aFrom`,byteStride:8*n,attributes:[{attribute:`aFrom`,format:i,byteOffset:0},{attribute:`aFrom64Low`,format:i,byteOffset:4*n}]},{name:`aTo`,byteStride:8*n,attributes:[{attribute:`aTo`,format:i,byteOffset:0},{attribute:`aTo64Low`,format:i,byteOffset:4*n}]}],modules:[gd,Bw],defines:{ATTRIBUTE_TYPE:r,ATTRIBUTE_SIZE:n},moduleSettings:{},varyings:[`vCurrent`,`vCurrent64Low`],bufferMode:35980,disableWarnings:!0}):new Xg(e,{vs:Vw,bufferLayout:[{name:`aFrom`,format:i},{name:`aTo`,format:a.attributes[0].format}],modules:[Bw],defines:{ATTRIBUTE_TYPE:r},varyings:[`vCurrent`],disableWarnings:!0})}var Gw=class extends Rw{constructor({device:e,attribute:t,timeline:n}){super({device:e,attribute:t,timeline:n}),this.type=`spring`,this.texture=Xw(e),this.framebuffer=Zw(e,this.texture),this.transform=Yw(e,t)}start(e,t){let n=this.currentLength,r=this.currentStartIndices;super.start(e,t);let{buffers:i,attribute:a}=this;for(let t=0;t<2;t++)i[t]=Lw({device:this.device,buffer:i[t],attribute:a,fromLength:n,toLength:this.currentLength,fromStartIndices:r,getData:e.enter});i[2]=Iw({device:this.device,source:i[0],target:i[2]}),this.setBuffer(i[1]);let{model:o}=this.transform;o.setVertexCount(Math.floor(this.currentLength/a.size)),a.isConstant?o.setConstantAttributes({aTo:a.value}):o.setAttributes({aTo:a.getBuffer()})}onUpdate(){let{buffers:e,transform:t,framebuffer:n,transition:r}=this,i=this.settings;t.model.setAttributes({aPrev:e[0],aCur:e[1]}),t.transformFeedback.setBuffers({vNext:e[2]});let a={stiffness:i.stiffness,damping:i.damping};t.model.shaderInputs.setProps({spring:a}),t.run({framebuffer:n,discard:!1,parameters:{viewport:[0,0,1,1]},clearColor:[0,0,0,0]}),Pw(e),this.setBuffer(e[1]),this.device.readPixelsToArrayWebGL(n)[0]>0||r.end()}delete(){super.delete(),this.transform.destroy(),this.texture.destroy(),this.framebuffer.destroy()}},Kw={name:`spring`,vs:`layout(std140) uniform springUniforms {
  float damping;
  float stiffness;
} spring;
`,uniformTypes:{damping:`f32`,stiffness:`f32`}},qw=`#version 300 es
#define SHADER_NAME spring-transition-vertex-shader

#define EPSILON 0.00001

in ATTRIBUTE_TYPE aPrev;
in ATTRIBUTE_TYPE aCur;
in ATTRIBUTE_TYPE aTo;
out ATTRIBUTE_TYPE vNext;
out float vIsTransitioningFlag;

ATTRIBUTE_TYPE getNextValue(ATTRIBUTE_TYPE cur, ATTRIBUTE_TYPE prev, ATTRIBUTE_TYPE dest) {
  ATTRIBUTE_TYPE velocity = cur - prev;
  ATTRIBUTE_TYPE delta = dest - cur;
  ATTRIBUTE_TYPE force = delta * spring.stiffness;
  ATTRIBUTE_TYPE resistance = velocity * spring.damping;
  return force - resistance + velocity + cur;
}

void main(void) {
  bool isTransitioning = length(aCur - aPrev) > EPSILON || length(aTo - aCur) > EPSILON;
  vIsTransitioningFlag = isTransitioning ? 1.0 : 0.0;

  vNext = getNextValue(aCur, aPrev, aTo);
  gl_Position = vec4(0, 0, 0, 1);
  gl_PointSize = 100.0;
}
`,Jw=`#version 300 es
#define SHADER_NAME spring-transition-is-transitioning-fragment-shader

in float vIsTransitioningFlag;

out vec4 fragColor;

void main(void) {
  if (vIsTransitioningFlag == 0.0) {
    discard;
  }
  fragColor = vec4(1.0);
}`;function Yw(e,t){let n=Mw(t.size),r=Nw(t.size);return new Xg(e,{vs:qw,fs:Jw,bufferLayout:[{name:`aPrev`,format:r},{name:`aCur`,format:r},{name:`aTo`,format:t.getBufferLayout().attributes[0].format}],varyings:[`vNext`],modules:[Kw],defines:{ATTRIBUTE_TYPE:n},parameters:{depthCompare:`always`,blendColorOperation:`max`,blendColorSrcFactor:`one`,blendColorDstFactor:`one`,blendAlphaOperation:`max`,blendAlphaSrcFactor:`one`,blendAlphaDstFactor:`one`}})}function Xw(e){return e.createTexture({data:new Uint8Array(4),format:`rgba8unorm`,width:1,height:1})}function Zw(e,t){return e.createFramebuffer({id:`spring-transition-is-transitioning-framebuffer`,width:1,height:1,colorAttachments:[t]})}var Qw={interpolation:zw,spring:Gw},$w=class{constructor(e,{id:t,timeline:n}){if(!e)throw Error(`AttributeTransitionManager is constructed without device`);this.id=t,this.device=e,this.timeline=n,this.transitions={},this.needsRedraw=!1,this.numInstances=1}finalize(){for(let e in this.transitions)this._removeTransition(e)}update({attributes:e,transitions:t,numInstances:n}){this.numInstances=n||1;for(let n in e){let r=e[n],i=r.getTransitionSetting(t);i&&this._updateAttribute(n,r,i)}for(let n in this.transitions){let r=e[n];r&&r.getTransitionSetting(t)||this._removeTransition(n)}}hasAttribute(e){let t=this.transitions[e];return t&&t.inProgress}getAttributes(){let e={};for(let t in this.transitions){let n=this.transitions[t];n.inProgress&&(e[t]=n.attributeInTransition)}return e}run(){if(this.numInstances===0)return!1;for(let e in this.transitions)this.transitions[e].update()&&(this.needsRedraw=!0);let e=this.needsRedraw;return this.needsRedraw=!1,e}_removeTransition(e){this.transitions[e].delete(),delete this.transitions[e]}_updateAttribute(e,t,n){let r=this.transitions[e],i=!r||r.type!==n.type;if(i){r&&this._removeTransition(e);let a=Qw[n.type];a?this.transitions[e]=new a({attribute:t,timeline:this.timeline,device:this.device}):(K.error(`unsupported transition type '${n.type}'`)(),i=!1)}(i||t.needsRedraw())&&(this.needsRedraw=!0,this.transitions[e].start(n,this.numInstances))}},eT=`attributeManager.invalidate`,tT=`attributeManager.updateStart`,nT=`attributeManager.updateEnd`,rT=`attribute.updateStart`,iT=`attribute.allocate`,aT=`attribute.updateEnd`,oT=class{constructor(e,{id:t=`attribute-manager`,stats:n,timeline:r}={}){this.mergeBoundsMemoized=Up(Bh),this.id=t,this.device=e,this.attributes={},this.updateTriggers={},this.needsRedraw=!0,this.userData={},this.stats=n,this.attributeTransitionManager=new $w(e,{id:`${t}-transitions`,timeline:r}),this.attributeBufferGroups=e.type===`webgpu`?new Ew(e,{id:t,isTransitionAttribute:e=>this.attributeTransitionManager.hasAttribute(e)}):null,Object.seal(this)}finalize(){this.attributeBufferGroups?.finalize();for(let e in this.attributes)this.attributes[e].delete();this.attributeTransitionManager.finalize()}getNeedsRedraw(e={clearRedrawFlags:!1}){let t=this.needsRedraw;return this.needsRedraw=this.needsRedraw&&!e.clearRedrawFlags,t&&this.id}setNeedsRedraw(){this.needsRedraw=!0}add(e){this._add(e)}addInstanced(e){this._add(e,{stepMode:`instance`})}remove(e){for(let t of e)this.attributes[t]!==void 0&&(this.attributes[t].delete(),delete this.attributes[t])}invalidate(e,t){let n=this._invalidateTrigger(e,t);Fc(eT,this,e,n)}invalidateAll(e){for(let t in this.attributes)this.attributes[t].setNeedsUpdate(t,e);Fc(eT,this,`all`)}update({data:e,numInstances:t,startIndices:n=null,transitions:r,props:i={},buffers:a={},context:o={}}){let s=!1;Fc(tT,this),this.stats&&this.stats.get(`Update Attributes`).timeStart();for(let r in this.attributes){let c=this.attributes[r],l=c.settings.accessor;c.startIndices=n,c.numInstances=t,i[r]&&K.removed(`props.${r}`,`data.attributes.${r}`)(),c.setExternalBuffer(a[r])||c.setBinaryValue(typeof l==`string`?a[l]:void 0,e.startIndices)||typeof l==`string`&&!a[l]&&c.setConstantValue(o,i[l])||c.needsUpdate()&&(s=!0,this._updateAttribute({attribute:c,numInstances:t,data:e,props:i,context:o})),this.needsRedraw=this.needsRedraw||c.needsRedraw()}s&&Fc(nT,this,t),this.stats&&(this.stats.get(`Update Attributes`).timeEnd(),s&&this.stats.get(`Attributes updated`).incrementCount()),this.attributeTransitionManager.update({attributes:this.attributes,numInstances:t,transitions:r})}updateTransition(){let{attributeTransitionManager:e}=this,t=e.run();return this.needsRedraw=this.needsRedraw||t,t}getAttributes(){return{...this.attributes,...this.attributeTransitionManager.getAttributes()}}getBounds(e){let t=e.map(e=>this.attributes[e]?.getBounds());return this.mergeBoundsMemoized(t)}getChangedAttributes(e={clearChangedFlags:!1}){let{attributes:t,attributeTransitionManager:n}=this,r={...n.getAttributes()};for(let i in t){let a=t[i];a.needsRedraw(e)&&!n.hasAttribute(i)&&(r[i]=a)}return r}getBufferLayouts(e){return this.hasBufferGroups()?this.attributeBufferGroups.getBufferLayouts(this.getAttributes(),e):Object.values(this.getAttributes()).map(t=>t.getBufferLayout(e))}hasBufferGroups(){return!!this.attributeBufferGroups?.hasGroups(this.attributes)}getBufferGroupBindings(e,t,n={}){return this.attributeBufferGroups?this.attributeBufferGroups.getBindings(this.getAttributes(),e,t,n):{bufferLayouts:this.getBufferLayouts(t),buffers:{},groupedAttributeIds:new Set}}_add(e,t){for(let n in e){let r=e[n],i={...r,id:n,size:r.isIndexed&&1||r.size||1,...t};this.attributes[n]=new LS(this.device,i)}this._mapUpdateTriggersToAttributes()}_mapUpdateTriggersToAttributes(){let e={};for(let t in this.attributes)this.attributes[t].getUpdateTriggers().forEach(n=>{e[n]||(e[n]=[]),e[n].push(t)});this.updateTriggers=e}_invalidateTrigger(e,t){let{attributes:n,updateTriggers:r}=this,i=r[e];return i&&i.forEach(e=>{let r=n[e];r&&r.setNeedsUpdate(r.id,t)}),i}_updateAttribute(e){let{attribute:t,numInstances:n}=e;Fc(rT,t),t.constant?t.setConstantValue(e.context,t.value):(t.allocate(n)&&Fc(iT,t,n),t.updateBuffer(e)&&(this.needsRedraw=!0,Fc(aT,t,n)))}},sT=class extends F_{get value(){return this._value}_onUpdate(){let{time:e,settings:{fromValue:t,toValue:n,duration:r,easing:i}}=this,a=i(e/r);this._value=Wl(t,n,a)}},cT=1e-5;function lT(e,t,n,r,i){let a=t-e;return(n-t)*i+-a*r+a+t}function uT(e,t,n,r,i){if(Array.isArray(n)){let a=[];for(let o=0;o<n.length;o++)a[o]=lT(e[o],t[o],n[o],r,i);return a}return lT(e,t,n,r,i)}function dT(e,t){if(Array.isArray(e)){let n=0;for(let r=0;r<e.length;r++){let i=e[r]-t[r];n+=i*i}return Math.sqrt(n)}return Math.abs(e-t)}var fT={interpolation:sT,spring:class extends F_{get value(){return this._currValue}_onUpdate(){let{fromValue:e,toValue:t,damping:n,stiffness:r}=this.settings,{_prevValue:i=e,_currValue:a=e}=this,o=uT(i,a,t,n,r),s=dT(o,t),c=dT(o,a);s<cT&&c<cT&&(o=t,this.end()),this._prevValue=a,this._currValue=o}}},pT=class{constructor(e){this.transitions=new Map,this.timeline=e}get active(){return this.transitions.size>0}add(e,t,n,r){let{transitions:i}=this;if(i.has(e)){let n=i.get(e),{value:r=n.settings.fromValue}=n;t=r,this.remove(e)}if(r=IS(r),!r)return;let a=fT[r.type];if(!a){K.error(`unsupported transition type '${r.type}'`)();return}let o=new a(this.timeline);o.start({...r,fromValue:t,toValue:n}),i.set(e,o)}remove(e){let{transitions:t}=this;t.has(e)&&(t.get(e).cancel(),t.delete(e))}update(){let e={};for(let[t,n]of this.transitions)n.update(),e[t]=n.value,n.inProgress||this.remove(t);return e}clear(){for(let e of this.transitions.keys())this.remove(e)}};function mT(e){let t=e[s_];for(let n in t){let r=t[n],{validate:i}=r;if(i&&!i(e[n],r))throw Error(`Invalid prop ${n}: ${e[n]}`)}}function hT(e,t){let n=_T({newProps:e,oldProps:t,propTypes:e[s_],ignoreProps:{data:null,updateTriggers:null,extensions:null,transitions:null}}),r=yT(e,t),i=!1;return r||(i=bT(e,t)),{dataChanged:r,propsChanged:n,updateTriggersChanged:i,extensionsChanged:xT(e,t),transitionsChanged:gT(e,t)}}function gT(e,t){if(!e.transitions)return!1;let n={},r=e[s_],i=!1;for(let a in e.transitions){let o=r[a],s=o&&o.type;(s===`number`||s===`color`||s===`array`)&&vT(e[a],t[a],o)&&(n[a]=!0,i=!0)}return i?n:!1}function _T({newProps:e,oldProps:t,ignoreProps:n={},propTypes:r={},triggerName:i=`props`}){if(t===e)return!1;if(typeof e!=`object`||!e||typeof t!=`object`||!t)return`${i} changed shallowly`;for(let a of Object.keys(e))if(!(a in n)){if(!(a in t))return`${i}.${a} added`;let n=vT(e[a],t[a],r[a]);if(n)return`${i}.${a} ${n}`}for(let a of Object.keys(t))if(!(a in n)){if(!(a in e))return`${i}.${a} dropped`;if(!Object.hasOwnProperty.call(e,a)){let n=vT(e[a],t[a],r[a]);if(n)return`${i}.${a} ${n}`}}return!1}function vT(e,t,n){let r=n&&n.equal;return r&&!r(e,t,n)||!r&&(r=e&&t&&e.equals,r&&!r.call(e,t))?`changed deeply`:!r&&t!==e?`changed shallowly`:null}function yT(e,t){if(t===null)return`oldProps is null, initial diff`;let n=!1,{dataComparator:r,_dataDiff:i}=e;return r?r(e.data,t.data)||(n=`Data comparator detected a change`):e.data!==t.data&&(n=`A new data container was supplied`),n&&i&&(n=i(e.data,t.data)||n),n}function bT(e,t){if(t===null||`all`in e.updateTriggers&&ST(e,t,`all`))return{all:!0};let n={},r=!1;for(let i in e.updateTriggers)i!==`all`&&ST(e,t,i)&&(n[i]=!0,r=!0);return r?n:!1}function xT(e,t){if(t===null)return!0;let n=t.extensions,{extensions:r}=e;if(r===n)return!1;if(!n||!r||r.length!==n.length)return!0;for(let e=0;e<r.length;e++)if(!r[e].equals(n[e]))return!0;return!1}function ST(e,t,n){let r=e.updateTriggers[n];r??={};let i=t.updateTriggers[n];return i??={},_T({oldProps:i,newProps:r,triggerName:n})}var CT=`count(): argument not an object`,wT=`count(): argument not a container`;function TT(e){if(!DT(e))throw Error(CT);if(typeof e.count==`function`)return e.count();if(Number.isFinite(e.size))return e.size;if(Number.isFinite(e.length))return e.length;if(ET(e))return Object.keys(e).length;throw Error(wT)}function ET(e){return typeof e==`object`&&!!e&&e.constructor===Object}function DT(e){return typeof e==`object`&&!!e}function OT(e,t){if(!t)return e;let n={...e,...t};if(`defines`in t&&(n.defines={...e.defines,...t.defines}),`modules`in t&&(n.modules=(e.modules||[]).concat(t.modules),t.modules.some(e=>e.name===`project64`))){let e=n.modules.findIndex(e=>e.name===`project32`);e>=0&&n.modules.splice(e,1)}if(`inject`in t){if(!e.inject)n.inject=t.inject;else{let r={...e.inject};for(let e in t.inject)r[e]=(r[e]||``)+t.inject[e];n.inject=r}}return n}var kT={minFilter:`linear`,mipmapFilter:`linear`,magFilter:`linear`,addressModeU:`clamp-to-edge`,addressModeV:`clamp-to-edge`},AT={};function jT(e,t,n,r){if(n instanceof me)return n;n.constructor&&n.constructor.name!==`Object`&&(n={data:n});let i=null;n.compressed&&(i={minFilter:`linear`,mipmapFilter:n.data.length>1?`nearest`:`linear`});let{width:a,height:o}=n.data,s=t.createTexture({...n,sampler:{...kT,...i,...r},mipLevels:t.getMipLevelCount(a,o)});return t.type===`webgl`?s.generateMipmapsWebGL():t.type===`webgpu`&&t.generateMipmapsWebGPU(s),AT[s.id]=e,s}function MT(e,t){t&&t instanceof me&&AT[t.id]===e&&(t.delete(),delete AT[t.id])}var NT={boolean:{validate(e,t){return!0},equal(e,t,n){return!!e==!!t}},number:{validate(e,t){return Number.isFinite(e)&&(!(`max`in t)||e<=t.max)&&(!(`min`in t)||e>=t.min)}},color:{validate(e,t){return t.optional&&!e||LT(e)&&(e.length===3||e.length===4)},equal(e,t,n){return b_(e,t,1)}},accessor:{validate(e,t){let n=RT(e);return n===`function`||n===RT(t.value)},equal(e,t,n){return typeof t==`function`||b_(e,t,1)}},array:{validate(e,t){return t.optional&&!e||LT(e)},equal(e,t,n){let{compare:r}=n;return r?b_(e,t,Number.isInteger(r)?r:+!!r):e===t}},object:{equal(e,t,n){if(n.ignore)return!0;let{compare:r}=n;return r?b_(e,t,Number.isInteger(r)?r:+!!r):e===t}},function:{validate(e,t){return t.optional&&!e||typeof e==`function`},equal(e,t,n){return!n.compare&&n.ignore!==!1||e===t}},data:{transform:(e,t,n)=>{if(!e)return e;let{dataTransform:r}=n.props;return r?r(e):typeof e.shape==`string`&&e.shape.endsWith(`-table`)&&Array.isArray(e.data)?e.data:e}},image:{transform:(e,t,n)=>{let r=n.context;return!r||!r.device?null:jT(n.id,r.device,e,{...t.parameters,...n.props.textureParameters})},release:(e,t,n)=>{MT(n.id,e)}}};function PT(e){let t={},n={},r={};for(let[i,a]of Object.entries(e)){let e=a?.deprecatedFor;if(e)r[i]=Array.isArray(e)?e:[e];else{let e=FT(i,a);t[i]=e,n[i]=e.value}}return{propTypes:t,defaultProps:n,deprecatedProps:r}}function FT(e,t){switch(RT(t)){case`object`:return IT(e,t);case`array`:return IT(e,{type:`array`,value:t,compare:!1});case`boolean`:return IT(e,{type:`boolean`,value:t});case`number`:return IT(e,{type:`number`,value:t});case`function`:return IT(e,{type:`function`,value:t,compare:!0});default:return{name:e,type:`unknown`,value:t}}}function IT(e,t){return`type`in t?{name:e,...NT[t.type],...t}:`value`in t?{name:e,type:RT(t.value),...t}:{name:e,type:`object`,value:t}}function LT(e){return Array.isArray(e)||ArrayBuffer.isView(e)}function RT(e){return LT(e)?`array`:e===null?`null`:typeof e}function zT(e,t){let n;for(let e=t.length-1;e>=0;e--){let r=t[e];`extensions`in r&&(n=r.extensions)}let r=VT(e.constructor,n),i=Object.create(r);i[o_]=e,i[u_]={},i[d_]={};for(let e=0;e<t.length;++e){let n=t[e];for(let e in n)i[e]=n[e]}return Object.freeze(i),i}var BT=`_mergedDefaultProps`;function VT(e,t){if(!(e instanceof ZT.constructor))return{};let n=BT;if(t)for(let e of t){let t=e.constructor;t&&(n+=`:${t.extensionName||t.name}`)}return JT(e,n)||(e[n]=HT(e,t||[]))}function HT(e,t){if(!e.prototype)return null;let n=VT(Object.getPrototypeOf(e)),r=PT(JT(e,`defaultProps`)||{}),i=Object.assign(Object.create(null),n,r.defaultProps),a=Object.assign(Object.create(null),n?.[s_],r.propTypes),o=Object.assign(Object.create(null),n?.[c_],r.deprecatedProps);for(let e of t){let t=VT(e.constructor);t&&(Object.assign(i,t),Object.assign(a,t[s_]),Object.assign(o,t[c_]))}return UT(i,e),GT(i,a),WT(i,o),i[s_]=a,i[c_]=o,t.length===0&&!qT(e,`_propTypes`)&&(e._propTypes=a),i}function UT(e,t){let n=YT(t);Object.defineProperties(e,{id:{writable:!0,value:n}})}function WT(e,t){for(let n in t)Object.defineProperty(e,n,{enumerable:!1,set(e){let r=`${this.id}: ${n}`;for(let r of t[n])qT(this,r)||(this[r]=e);K.deprecated(r,t[n].join(`/`))()}})}function GT(e,t){let n={},r={};for(let e in t){let i=t[e],{name:a,value:o}=i;i.async&&(n[a]=o,r[a]=KT(a))}e[l_]=n,e[u_]={},Object.defineProperties(e,r)}function KT(e){return{enumerable:!0,set(t){typeof t==`string`||t instanceof Promise||AS(t)?this[u_][e]=t:this[d_][e]=t},get(){if(this[d_]){if(e in this[d_])return this[d_][e]||this[l_][e];if(e in this[u_]){let t=this[o_]&&this[o_].internalState;if(t&&t.hasAsyncProp(e))return t.getAsyncProp(e)||this[l_][e]}}return this[l_][e]}}}function qT(e,t){return Object.prototype.hasOwnProperty.call(e,t)}function JT(e,t){return qT(e,t)&&e[t]}function YT(e){let t=e.componentName;return t||K.warn(`${e.name}.componentName not specified`)(),t||e.name}var XT=0,ZT=class{constructor(...e){this.props=zT(this,e),this.id=this.props.id,this.count=XT++}clone(e){let{props:t}=this,n={};for(let e in t[l_])e in t[d_]?n[e]=t[d_][e]:e in t[u_]&&(n[e]=t[u_][e]);return new this.constructor({...t,...n,...e})}};ZT.componentName=`Component`,ZT.defaultProps={};var QT=Object.freeze({}),$T=class{constructor(e){this.component=e,this.asyncProps={},this.onAsyncPropUpdated=()=>{},this.oldProps=null,this.oldAsyncProps=null}finalize(){for(let e in this.asyncProps){let t=this.asyncProps[e];t&&t.type&&t.type.release&&t.type.release(t.resolvedValue,t.type,this.component)}this.asyncProps={},this.component=null,this.resetOldProps()}getOldProps(){return this.oldAsyncProps||this.oldProps||QT}resetOldProps(){this.oldAsyncProps=null,this.oldProps=this.component?this.component.props:null}hasAsyncProp(e){return e in this.asyncProps}getAsyncProp(e){let t=this.asyncProps[e];return t&&t.resolvedValue}isAsyncPropLoading(e){if(e){let t=this.asyncProps[e];return!!(t&&t.pendingLoadCount>0&&t.pendingLoadCount!==t.resolvedLoadCount)}for(let e in this.asyncProps)if(this.isAsyncPropLoading(e))return!0;return!1}reloadAsyncProp(e,t){this._watchPromise(e,Promise.resolve(t))}setAsyncProps(e){this.component=e[o_]||this.component;let t=e[d_]||{},n=e[u_]||e,r=e[l_]||{};for(let e in t){let n=t[e];this._createAsyncPropData(e,r[e]),this._updateAsyncProp(e,n),t[e]=this.getAsyncProp(e)}for(let e in n){let t=n[e];this._createAsyncPropData(e,r[e]),this._updateAsyncProp(e,t)}}_fetch(e,t){return null}_onResolve(e,t){}_onError(e,t){}_updateAsyncProp(e,t){this._didAsyncInputValueChange(e,t)&&(typeof t==`string`&&(t=this._fetch(e,t)),t instanceof Promise?this._watchPromise(e,t):AS(t)?this._resolveAsyncIterable(e,t):this._setPropValue(e,t))}_freezeAsyncOldProps(){if(!this.oldAsyncProps&&this.oldProps){this.oldAsyncProps=Object.create(this.oldProps);for(let e in this.asyncProps)Object.defineProperty(this.oldAsyncProps,e,{enumerable:!0,value:this.oldProps[e]})}}_didAsyncInputValueChange(e,t){let n=this.asyncProps[e];return t===n.resolvedValue||t===n.lastValue?!1:(n.lastValue=t,!0)}_setPropValue(e,t){this._freezeAsyncOldProps();let n=this.asyncProps[e];n&&(t=this._postProcessValue(n,t),n.resolvedValue=t,n.pendingLoadCount++,n.resolvedLoadCount=n.pendingLoadCount)}_setAsyncPropValue(e,t,n){let r=this.asyncProps[e];r&&n>=r.resolvedLoadCount&&t!==void 0&&(this._freezeAsyncOldProps(),r.resolvedValue=t,r.resolvedLoadCount=n,this.onAsyncPropUpdated(e,t))}_watchPromise(e,t){let n=this.asyncProps[e];if(n){n.pendingLoadCount++;let r=n.pendingLoadCount;t.then(t=>{this.component&&(t=this._postProcessValue(n,t),this._setAsyncPropValue(e,t,r),this._onResolve(e,t))}).catch(t=>{this._onError(e,t)})}}async _resolveAsyncIterable(e,t){if(e!==`data`){this._setPropValue(e,t);return}let n=this.asyncProps[e];if(!n)return;n.pendingLoadCount++;let r=n.pendingLoadCount,i=[],a=0;for await(let n of t){if(!this.component)return;let{dataTransform:t}=this.component.props;i=t?t(n,i):i.concat(n),Object.defineProperty(i,"__diff",{enumerable:!1,value:[{startRow:a,endRow:i.length}]}),a=i.length,this._setAsyncPropValue(e,i,r)}this._onResolve(e,i)}_postProcessValue(e,t){let n=e.type;return n&&this.component&&(n.release&&n.release(e.resolvedValue,n,this.component),n.transform)?n.transform(t,n,this.component):t}_createAsyncPropData(e,t){if(!this.asyncProps[e]){let n=this.component&&this.component.props[s_];this.asyncProps[e]={type:n&&n[e],lastValue:null,resolvedValue:t,pendingLoadCount:0,resolvedLoadCount:0}}}},eE=class extends $T{constructor({attributeManager:e,layer:t}){super(t),this.attributeManager=e,this.needsRedraw=!0,this.needsUpdate=!0,this.subLayers=null,this.usesPickingColorCache=!1,this.disabledPickingIndices=[]}get layer(){return this.component}_fetch(e,t){let n=this.layer,r=n?.props.fetch;return r?r(t,{propName:e,layer:n}):super._fetch(e,t)}_onResolve(e,t){let n=this.layer;if(n){let r=n.props.onDataLoad;e===`data`&&r&&r(t,{propName:e,layer:n})}}_onError(e,t){let n=this.layer;n&&n.raiseError(t,`loading ${e} of ${this.layer}`)}},tE=`layer.changeFlag`,nE=`layer.initialize`,rE=`layer.update`,iE=`layer.finalize`,aE=`layer.matched`,oE=2**24-1,sE=Object.freeze([]),cE=Up(({oldViewport:e,viewport:t})=>e.equals(t)),lE=new Uint8ClampedArray;function uE(e){return e.rowIndexes||e.pickingColors||e.instancePickingColors}function dE(e){return e.rowIndexes}function fE(e){return e.pickingColors||e.instancePickingColors}var pE={data:{type:`data`,value:sE,async:!0},dataComparator:{type:`function`,value:null,optional:!0},_dataDiff:{type:`function`,value:e=>e&&e.__diff,optional:!0},dataTransform:{type:`function`,value:null,optional:!0},onDataLoad:{type:`function`,value:null,optional:!0},onError:{type:`function`,value:null,optional:!0},fetch:{type:`function`,value:(e,{propName:t,layer:n,loaders:r,loadOptions:i,signal:a})=>{let{resourceManager:o}=n.context;i||=n.getLoadOptions(),r||=n.props.loaders,a&&(i={...i,core:{...i?.core,fetch:{...i?.core?.fetch,signal:a}}});let s=o.contains(e);return!s&&!i&&(o.add({resourceId:e,data:Ks(e,r),persistent:!1}),s=!0),s?o.subscribe({resourceId:e,onChange:e=>n.internalState?.reloadAsyncProp(t,e),consumerId:n.id,requestId:t}):Ks(e,r,i)}},updateTriggers:{},visible:!0,pickable:!1,opacity:{type:`number`,min:0,max:1,value:1},operation:`draw`,onHover:{type:`function`,value:null,optional:!0},onClick:{type:`function`,value:null,optional:!0},onDragStart:{type:`function`,value:null,optional:!0},onDrag:{type:`function`,value:null,optional:!0},onDragEnd:{type:`function`,value:null,optional:!0},coordinateSystem:`default`,coordinateOrigin:{type:`array`,value:[0,0,0],compare:!0},modelMatrix:{type:`array`,value:null,compare:!0,optional:!0},wrapLongitude:!1,positionFormat:`XYZ`,colorFormat:`RGBA`,parameters:{type:`object`,value:{},optional:!0,compare:2},loadOptions:{type:`object`,value:null,optional:!0,ignore:!0},transitions:null,extensions:[],loaders:{type:`array`,value:[],optional:!0,ignore:!0},getPolygonOffset:{type:`function`,value:({layerIndex:e})=>[0,-e*100]},highlightedObjectIndex:null,autoHighlight:!1,highlightColor:{type:`accessor`,value:[0,0,128,128]}},mE=class extends ZT{constructor(){super(...arguments),this.internalState=null,this.lifecycle=a_.NO_STATE,this.parent=null}static get componentName(){return Object.prototype.hasOwnProperty.call(this,`layerName`)?this.layerName:``}get root(){let e=this;for(;e.parent;)e=e.parent;return e}toString(){return`${this.constructor.layerName||this.constructor.name}({id: '${this.props.id}'})`}project(e){U_(this.internalState);let t=this.internalState.viewport||this.context.viewport,[n,r,i]=Nm(Zh(e,{viewport:t,modelMatrix:this.props.modelMatrix,coordinateOrigin:this.props.coordinateOrigin,coordinateSystem:this.props.coordinateSystem}),t.pixelProjectionMatrix);return e.length===2?[n,r]:[n,r,i]}unproject(e){return U_(this.internalState),(this.internalState.viewport||this.context.viewport).unproject(e)}projectPosition(e,t){return U_(this.internalState),Qh(e,{viewport:this.internalState.viewport||this.context.viewport,modelMatrix:this.props.modelMatrix,coordinateOrigin:this.props.coordinateOrigin,coordinateSystem:this.props.coordinateSystem,...t})}get isComposite(){return!1}get isDrawable(){return!0}setState(e){this.setChangeFlags({stateChanged:!0}),Object.assign(this.state,e),this.setNeedsRedraw()}setNeedsRedraw(){this.internalState&&(this.internalState.needsRedraw=!0)}setNeedsUpdate(){this.internalState&&(this.context.layerManager.setNeedsUpdate(String(this)),this.internalState.needsUpdate=!0)}get isLoaded(){return this.internalState?!this.internalState.isAsyncPropLoading():!1}get wrapLongitude(){return this.props.wrapLongitude}isPickable(){return this.props.pickable&&this.props.visible}getModels(){let e=this.state;return e&&(e.models||e.model&&[e.model])||[]}setShaderModuleProps(...e){for(let t of this.getModels())t.shaderInputs.setProps(...e)}getAttributeManager(){return this.internalState&&this.internalState.attributeManager}getCurrentLayer(){return this.internalState&&this.internalState.layer}getLoadOptions(){return this.props.loadOptions}use64bitPositions(){let{coordinateSystem:e}=this.props;return e==="default"||e===`lnglat`||e===`cartesian`}onHover(e,t){return this.props.onHover&&this.props.onHover(e,t)||!1}onClick(e,t){return this.props.onClick&&this.props.onClick(e,t)||!1}nullPickingColor(){return[0,0,0]}encodePickingColor(e,t=[]){return t[0]=e+1&255,t[1]=e+1>>8&255,t[2]=e+1>>8>>8&255,t}decodePickingColor(e){U_(e instanceof Uint8Array);let[t,n,r]=e;return t+n*256+r*65536-1}getNumInstances(){return Number.isFinite(this.props.numInstances)?this.props.numInstances:this.state&&this.state.numInstances!==void 0?this.state.numInstances:TT(this.props.data)}getStartIndices(){return this.props.startIndices?this.props.startIndices:this.state&&this.state.startIndices?this.state.startIndices:null}getBounds(){return this.getAttributeManager()?.getBounds([`positions`,`instancePositions`])}getShaders(e){e=OT(e,{disableWarnings:!0,modules:this.context.defaultShaderModules});for(let t of this.props.extensions)e=OT(e,t.getShaders.call(this,t));return e}shouldUpdateState(e){return e.changeFlags.propsOrDataChanged}updateState(e){let t=this.getAttributeManager(),{dataChanged:n}=e.changeFlags;if(n&&t){if(Array.isArray(n))for(let e of n)t.invalidateAll(e);else t.invalidateAll()}if(t){let{props:n}=e,r=this.internalState.hasPickingBuffer,i=Number.isInteger(n.highlightedObjectIndex)||!!n.pickable||n.extensions.some(e=>e.getNeedsPickingBuffer.call(this,e));if(r!==i){this.internalState.hasPickingBuffer=i;let e=uE(t.attributes);e&&(i&&e.constant&&(e.constant=!1,t.invalidate(e.id)),!e.value&&!i&&(e.constant=!0,e.value=dE(t.attributes)?[Qm]:[0,0,0]))}}}finalizeState(e){for(let e of this.getModels())e.destroy();let t=this.getAttributeManager();t&&t.finalize(),this.context&&this.context.resourceManager.unsubscribe({consumerId:this.id}),this.internalState&&(this.internalState.uniformTransitions.clear(),this.internalState.finalize())}draw(e){for(let t of this.getModels())t.draw(e.renderPass)}getPickingInfo({info:e,mode:t,sourceLayer:n}){let{index:r}=e;return r>=0&&Array.isArray(this.props.data)&&(e.object=this.props.data[r]),e}raiseError(e,t){t&&(e=Error(`${t}: ${e.message}`,{cause:e})),this.props.onError?.(e)||this.context?.onError?.(e,this)}getNeedsRedraw(e={clearRedrawFlags:!1}){return this._getNeedsRedraw(e)}needsUpdate(){return this.internalState?this.internalState.needsUpdate||this.hasUniformTransition()||this.shouldUpdateState(this._getUpdateParams()):!1}hasUniformTransition(){return this.internalState?.uniformTransitions.active||!1}activateViewport(e){if(!this.internalState)return;let t=this.internalState.viewport;this.internalState.viewport=e,t&&cE({oldViewport:t,viewport:e})||(this.setChangeFlags({viewportChanged:!0}),this.isComposite?this.needsUpdate()&&this.setNeedsUpdate():this._update())}invalidateAttribute(e=`all`){let t=this.getAttributeManager();t&&(e===`all`?t.invalidateAll():t.invalidate(e))}updateAttributes(e){let t=!1;for(let n in e)e[n].layoutChanged()&&(t=!0);for(let n of this.getModels())this._setModelAttributes(n,e,t)}_updateAttributes(){let e=this.getAttributeManager();if(!e)return;let t=this.props,n=this.getNumInstances(),r=this.getStartIndices();e.update({data:t.data,numInstances:n,startIndices:r,props:t,transitions:t.transitions,buffers:t.data.attributes,context:this});let i=e.getChangedAttributes({clearChangedFlags:!0});this.updateAttributes(i)}_updateAttributeTransition(){let e=this.getAttributeManager();e&&e.updateTransition()}_updateUniformTransition(){let{uniformTransitions:e}=this.internalState;if(e.active){let t=e.update(),n=Object.create(this.props);for(let e in t)Object.defineProperty(n,e,{value:t[e]});return n}return this.props}calculateInstancePickingColors(e,{numInstances:t}){if(e.constant)return;let n=Math.floor(lE.length/4);this.internalState.usesPickingColorCache=!0;let r=t>0&&lE[0]===0;if(n<t||r){t>oE&&K.warn(`Layer has too many data objects. Picking might not be able to distinguish all objects.`)(),lE=Ah.allocate(lE,t,{size:4,copy:!0,maxCount:Math.max(t,oE)});let e=Math.floor(lE.length/4),i=[0,0,0],a=r?0:n;for(let t=a;t<e;t++)this.encodePickingColor(t,i),lE[t*4+0]=i[0],lE[t*4+1]=i[1],lE[t*4+2]=i[2],lE[t*4+3]=0}e.value=lE.subarray(0,t*4)}_setModelAttributes(e,t,r=!1){if(!Object.keys(t).length)return;let i=this.getAttributeManager();if(i?.hasBufferGroups()){this._setGroupedModelAttributes(e,i,t);return}if(r){let n=this.getAttributeManager();e.setBufferLayout(n.getBufferLayouts(e)),t=n.getAttributes()}let a=e.userData?.excludeAttributes||{},o={},s={};for(let r in t){if(a[r])continue;let i=t[r].getValue();for(let a in i){let c=i[a];c instanceof n?t[r].settings.isIndexed?e.setIndexBuffer(c):o[a]=c:c&&(s[a]=c)}}e.setAttributes(o),e.setConstantAttributes(s)}_setGroupedModelAttributes(e,t,r){let i=e.userData?.excludeAttributes||{},a=t.getBufferGroupBindings(r,e,i);e.setBufferLayout(a.bufferLayouts);let o={...a.buffers},s={},c=t.getAttributes();for(let t in c){if(i[t]||a.groupedAttributeIds.has(t))continue;let r=c[t],l=r.getValue();for(let t in l){let i=l[t];i instanceof n?r.settings.isIndexed?e.setIndexBuffer(i):o[t]=i:i&&(s[t]=i)}}e.setAttributes(o),e.setConstantAttributes(s)}disablePickingIndex(e){let t=this.props.data;if(!(`attributes`in t)){this._disablePickingIndex(e);return}let n=this.getAttributeManager().attributes,r=dE(n),i=fE(n),a=r&&t.attributes&&t.attributes[r.id];if(a&&a.value){let n=a.value;for(let i=0;i<t.length;i++)n[r.getVertexOffset(i)]===e&&this._disablePickingIndex(i);return}let o=i&&t.attributes&&t.attributes[i.id];if(o&&o.value){let n=o.value,r=this.encodePickingColor(e);for(let e=0;e<t.length;e++){let t=i.getVertexOffset(e);n[t]===r[0]&&n[t+1]===r[1]&&n[t+2]===r[2]&&this._disablePickingIndex(e)}}else this._disablePickingIndex(e)}_disablePickingIndex(e){let t=this.getAttributeManager().attributes,n=dE(t);if(n){let t=n.getVertexOffset(e),r=n.getVertexOffset(e+1),i=new Uint32Array(r-t);i.fill(Qm),n.buffer.write(i,t*i.BYTES_PER_ELEMENT);return}let r=fE(t);if(!r){this.internalState&&$m(this.internalState.disabledPickingIndices,e);return}let i=r.getVertexOffset(e),a=r.getVertexOffset(e+1);r.buffer.write(new Uint8Array(a-i),i)}restorePickingColors(){let e=this.getAttributeManager().attributes,t=uE(e);if(!t){this.internalState&&(this.internalState.disabledPickingIndices.length=0);return}let n=fE(e);this.internalState.usesPickingColorCache&&n&&n.value.buffer!==lE.buffer&&(n.value=lE.subarray(0,n.value.length)),t.updateSubBuffer({startOffset:0})}_initialize(){U_(!this.internalState),Fc(nE,this);let e=this._getAttributeManager();this.internalState=new eE({attributeManager:e,layer:this}),this._clearChangeFlags(),this.state={},Object.defineProperty(this.state,"attributeManager",{get:()=>(K.deprecated(`layer.state.attributeManager`,`layer.getAttributeManager()`)(),e)}),this.internalState.uniformTransitions=new pT(this.context.timeline),this.internalState.onAsyncPropUpdated=this._onAsyncPropUpdated.bind(this),this.internalState.setAsyncProps(this.props),this.initializeState(this.context);for(let e of this.props.extensions)e.initializeState.call(this,this.context,e);this.setChangeFlags({dataChanged:`init`,propsChanged:`init`,viewportChanged:!0,extensionsChanged:!0}),this._update()}_transferState(e){Fc(aE,this,this===e);let{state:t,internalState:n}=e;this!==e&&(this.internalState=n,this.state=t,this.internalState.setAsyncProps(this.props),this._diffProps(this.props,this.internalState.getOldProps()))}_update(){let e=this.needsUpdate();if(Fc(rE,this,e),!e)return;this.context.stats.get(`Layer updates`).incrementCount();let t=this.props,n=this.context,r=this.internalState,i=n.viewport,a=this._updateUniformTransition();r.propsInTransition=a,n.viewport=r.viewport||i,this.props=a;try{let e=this._getUpdateParams(),t=this.getModels();if(n.device)this.updateState(e);else try{this.updateState(e)}catch{}for(let t of this.props.extensions)t.updateState.call(this,e,t);this.setNeedsRedraw(),this._updateAttributes();let r=this.getModels()[0]!==t[0];this._postUpdate(e,r)}finally{n.viewport=i,this.props=t,this._clearChangeFlags(),r.needsUpdate=!1,r.resetOldProps()}}_finalize(){Fc(iE,this),this.finalizeState(this.context);for(let e of this.props.extensions)e.finalizeState.call(this,this.context,e)}_drawLayer({renderPass:e,shaderModuleProps:t=null,uniforms:n={},parameters:r={}}){this._updateAttributeTransition();let i=this.props,a=this.context;this.props=this.internalState.propsInTransition||i;try{t&&this.setShaderModuleProps(t);let{getPolygonOffset:i}=this.props,o=i&&i(n)||[0,0];a.device instanceof dS&&a.device.setParametersWebGL({polygonOffset:o});let s=a.device instanceof dS?null:hE(r);if(gE(this.getModels(),e,r,s),a.device instanceof dS)a.device.withParametersWebGL(r,()=>{let i={renderPass:e,shaderModuleProps:t,uniforms:n,parameters:r,context:a};for(let e of this.props.extensions)e.draw.call(this,i,e);this.draw(i)});else{s?.renderPassParameters&&e.setParameters(s.renderPassParameters);let i={renderPass:e,shaderModuleProps:t,uniforms:n,parameters:r,context:a};for(let e of this.props.extensions)e.draw.call(this,i,e);this.draw(i)}}finally{this.props=i}}getChangeFlags(){return this.internalState?.changeFlags}setChangeFlags(e){if(!this.internalState)return;let{changeFlags:t}=this.internalState;for(let n in e)if(e[n]){let r=!1;switch(n){case`dataChanged`:let i=e[n],a=t[n];i&&Array.isArray(a)&&(t.dataChanged=Array.isArray(i)?a.concat(i):i,r=!0);default:t[n]||(t[n]=e[n],r=!0)}r&&Fc(tE,this,n,e)}let n=!!(t.dataChanged||t.updateTriggersChanged||t.propsChanged||t.extensionsChanged);t.propsOrDataChanged=n,t.somethingChanged=n||t.viewportChanged||t.stateChanged}_clearChangeFlags(){this.internalState.changeFlags={dataChanged:!1,propsChanged:!1,updateTriggersChanged:!1,viewportChanged:!1,stateChanged:!1,extensionsChanged:!1,propsOrDataChanged:!1,somethingChanged:!1}}_diffProps(e,t){let n=hT(e,t);if(n.updateTriggersChanged)for(let e in n.updateTriggersChanged)n.updateTriggersChanged[e]&&this.invalidateAttribute(e);if(n.transitionsChanged)for(let r in n.transitionsChanged)this.internalState.uniformTransitions.add(r,t[r],e[r],e.transitions?.[r]);return this.setChangeFlags(n)}validateProps(){mT(this.props)}updateAutoHighlight(e){this.props.autoHighlight&&!Number.isInteger(this.props.highlightedObjectIndex)&&this._updateAutoHighlight(e)}_updateAutoHighlight(e){let t={highlightedObjectColor:e.picked?e.color:null},{highlightColor:n}=this.props;e.picked&&typeof n==`function`&&(t.highlightColor=n(e)),this.setShaderModuleProps({picking:t}),this.setNeedsRedraw()}_getAttributeManager(){let e=this.context;return new oT(e.device,{id:this.props.id,stats:e.stats,timeline:e.timeline})}_postUpdate(e,t){let{props:n,oldProps:r}=e,i=this.state.model;i?.isInstanced&&i.setInstanceCount(this.getNumInstances());let{autoHighlight:a,highlightedObjectIndex:o,highlightColor:s}=n;if(t||r.autoHighlight!==a||r.highlightedObjectIndex!==o||r.highlightColor!==s){let e={};Array.isArray(s)&&(e.highlightColor=s),(t||r.autoHighlight!==a||o!==r.highlightedObjectIndex)&&(e.highlightedObjectColor=Number.isFinite(o)&&o>=0?this.encodePickingColor(o):null),this.setShaderModuleProps({picking:e})}}_getUpdateParams(){return{props:this.props,oldProps:this.internalState.getOldProps(),context:this.context,changeFlags:this.internalState.changeFlags}}_getNeedsRedraw(e){if(!this.internalState)return!1;let t=!1;t||=this.internalState.needsRedraw&&this.id;let n=this.getAttributeManager(),r=n?n.getNeedsRedraw(e):!1;if(t||=r,t)for(let e of this.props.extensions)e.onNeedsRedraw.call(this,e);return this.internalState.needsRedraw=this.internalState.needsRedraw&&!e.clearRedrawFlags,t}_onAsyncPropUpdated(){this._diffProps(this.props,this.internalState.getOldProps()),this.setNeedsUpdate()}};mE.defaultProps=pE,mE.layerName=`Layer`;function hE(e){let{blendConstant:t,...n}=e;return t?{pipelineParameters:n,renderPassParameters:{blendConstant:t}}:{pipelineParameters:n}}function gE(e,t,n,r){for(let i of e)i.device.type===`webgpu`?(_E(i,t),i.setParameters({...i.parameters,...r?.pipelineParameters})):i.setParameters(n)}function _E(e,t){let n=t.props.framebuffer||(t.framebuffer??null);if(!n)return;let r=n.colorAttachments.map(e=>e?.texture?.format??null),i=n.depthStencilAttachment?.texture?.format,a=e;vE(a.props.colorAttachmentFormats,r)&&a.props.depthStencilAttachmentFormat===i||(a.props.colorAttachmentFormats=r,a.props.depthStencilAttachmentFormat=i,a._setPipelineNeedsUpdate(`attachment formats`))}function vE(e,t){if(e===t)return!0;if(!e||!t||e.length!==t.length)return!1;for(let n=0;n<e.length;n++)if(e[n]!==t[n])return!1;return!0}var yE=new nd().lookAt({eye:[0,0,1]});function bE({width:e,height:t,near:n,far:r,padding:i}){let a=-e/2,o=e/2,s=-t/2,c=t/2;if(i){let{left:n=0,right:r=0,top:l=0,bottom:u=0}=i,d=Ul((n+e-r)/2,0,e)-e/2,f=Ul((l+t-u)/2,0,t)-t/2;a-=d,o-=d,s+=f,c+=f}return new nd().ortho({left:a,right:o,bottom:s,top:c,near:n,far:r})}var xE=class extends Kh{constructor(e){let{width:t,height:n,near:r=.1,far:i=1e3,zoom:a=0,target:o=[0,0,0],padding:s=null,flipY:c=!0}=e,l=e.zoomX??(Array.isArray(a)?a[0]:a),u=e.zoomY??(Array.isArray(a)?a[1]:a),d=Number.isFinite(e.zoom)?e.zoom:Math.min(l,u),f=2**d,p;if(l!==d||u!==d){let e=2**l,t=2**u;p={unitsPerMeter:[e/f,t/f,1],metersPerUnit:[f/e,f/t,1]}}super({...e,longitude:void 0,position:o,viewMatrix:yE.clone().scale([f,f*(c?-1:1),f]),projectionMatrix:bE({width:t||1,height:n||1,padding:s,near:r,far:i}),zoom:d,distanceScales:p}),this.target=o,this.zoomX=l,this.zoomY=u,this.flipY=c}projectFlat([e,t]){let{unitsPerMeter:n}=this.distanceScales;return[e*n[0],t*n[1]]}unprojectFlat([e,t]){let{metersPerUnit:n}=this.distanceScales;return[e*n[0],t*n[1]]}panByPosition(e,t,n){let r=Pm(t,this.pixelUnprojectionMatrix),i=ru([],this.projectFlat(e),au([],r)),a=ru([],this.center,i);return{target:this.unprojectFlat(a)}}};xE.displayName=`OrthographicViewport`;var SE=1;function CE({zoom:e=0,zoomX:t,zoomY:n}){return t??=Array.isArray(e)?e[0]:e,n??=Array.isArray(e)?e[1]:e,{zoomX:t,zoomY:n}}function wE(e,t,n,r,i){let a=e[0][t]+n,o=e[1][t]-r,s=(a+o)/2;return{minimum:a,maximum:o,midpoint:s,settledTarget:Number.isFinite(n)&&Number.isFinite(r)&&a<=o?Ul(i,a,o):s}}var TE=class extends rv{constructor(e){let{width:t,height:n,target:r=[0,0,0],zoom:i=0,zoomAxis:a=`all`,minZoom:o=-1/0,maxZoom:s=1/0,minZoomX:c=o,maxZoomX:l=s,minZoomY:u=o,maxZoomY:d=s,maxBounds:f=null,maxBoundsPadding:p=null,rubberBand:m=!1,startPanPosition:h,startZoomPosition:g,startZoom:_}=e,{[nv]:v}=e,{zoomX:y,zoomY:b}=CE(e);super({width:t,height:n,target:r,zoom:i,zoomX:y,zoomY:b,zoomAxis:a,minZoomX:c,maxZoomX:l,minZoomY:u,maxZoomY:d,maxBounds:f,maxBoundsPadding:p,rubberBand:m,[nv]:v},{startPanPosition:h,startZoomPosition:g,startZoom:_},e.makeViewport,e.constraintContext)}panStart({pos:e},t){return this._getUpdatedState({startPanPosition:this._unproject(e)},t)}pan({pos:e,startPosition:t},n){let r=this.getState().startPanPosition||t;if(!r)return this;let i=this.makeViewport(this.getViewportProps()).panByPosition(r,e);return this._getUpdatedState(i,n)}panEnd(e){return this._getUpdatedState({startPanPosition:null},e)}rotateStart(){return this}rotate(){return this}rotateEnd(){return this}shortestPathFrom(e){return e.getViewportProps(),{...this.getViewportProps()}}zoomStart({pos:e},t){let{zoomX:n,zoomY:r}=this.getViewportProps();return this._getUpdatedState({startZoomPosition:this._unproject(e),startZoom:[n,r]},t)}zoom({pos:e,startPos:t,scale:n},r){let{startZoom:i,startZoomPosition:a}=this.getState();if(!a){let{zoomX:n,zoomY:r}=this.getViewportProps();i=[n,r],a=this._unproject(t||e)}if(!a)return this;let o=this._calculateNewZoom({scale:n,startZoom:i});return this._getUpdatedState({...o,[nv]:{position:a,screenPosition:e}},r)}zoomEnd(e){return this._getUpdatedState({startZoomPosition:null,startZoom:null},e)}zoomIn(e=2,t){return this._getUpdatedState(this._calculateNewZoom({scale:e}),t)}zoomOut(e=2,t){return this._getUpdatedState(this._calculateNewZoom({scale:1/e}),t)}moveLeft(e=50,t){return this._panFromCenter([-e,0],t)}moveRight(e=50,t){return this._panFromCenter([e,0],t)}moveUp(e=50,t){return this._panFromCenter([0,-e],t)}moveDown(e=50,t){return this._panFromCenter([0,e],t)}rotateLeft(e=15){return this}rotateRight(e=15){return this}rotateUp(e=10){return this}rotateDown(e=10){return this}_project(e){return this.makeViewport(this.getViewportProps()).project(e)}_unproject(e){let[t,n]=this.makeViewport(this.getViewportProps()).unproject(e);return[t,n]}_calculateNewZoom({scale:e,startZoom:t}){let{zoomX:n,zoomY:r,zoomAxis:i}=this.getViewportProps();t===void 0&&(t=[n,r]);let a=Math.log2(e),[o,s]=t;switch(i){case`X`:o+=a;break;case`Y`:s+=a;break;default:o+=a,s+=a}return{zoomX:o,zoomY:s}}_panFromCenter(e,t){let{target:n}=this.getViewportProps(),r=this._project(n);return this.pan({startPosition:n,pos:[r[0]+e[0],r[1]+e[1]]},t)}_getUpdatedState(e,t){return new this.constructor({makeViewport:this.makeViewport,...this.getViewportProps(),...this.getState(),...e,constraintContext:t})}applyConstraints(e,t){let n=e,r=n[nv];delete n[nv];let i=CE(e),a=this._constrainZoom(i,e),o=e.rubberBand&&t?.mode===`elastic`,{zoomX:s,zoomY:c}=t?.mode===`preserve`?i:o?{zoomX:iv(i.zoomX,a.zoomX,SE),zoomY:iv(i.zoomY,a.zoomY,SE)}:a;if(e.zoomX=s,e.zoomY=c,r){let t=this.makeViewport({...e,zoomX:s,zoomY:c});Object.assign(e,t.panByPosition(r.position,r.screenPosition))}e.zoom=Array.isArray(e.zoom)||e.zoomX!==e.zoomY?[e.zoomX,e.zoomY]:e.zoomX;let{maxBounds:l,rubberBand:u,target:d}=e;if(l){let n=av(e.width,e.height,e.maxBoundsPadding),r=this.makeViewport(e),i=ov(r,d,n),a=r.project(d),f=[0,1].map(e=>{let t=d.slice();t[e]+=1;let n=r.project(t)[e]-a[e];return Number.isFinite(n)?n:2**(e===0?s:c)*(e===0?1:-1)}),p=f.map((e,t)=>{let n=t===0?i.left:i.top,r=t===0?i.right:i.bottom,a=Math.abs(e);return e>=0?[n/a,r/a]:[r/a,n/a]}),m=d.slice(),h=[n.width,n.height];for(let[e,[r,i]]of p.entries()){if(h[e]<0)continue;let{minimum:a,maximum:s,midpoint:c,settledTarget:p}=wE(l,e,r,i,d[e]);if(t?.mode!==`preserve`&&u&&(!Number.isFinite(r)||!Number.isFinite(i))){m[e]=c;continue}let g=u?p:Ul(d[e],a,s);m[e]=t?.mode===`preserve`?d[e]:o?iv(d[e],g,(e===0?n.width:n.height)/2/Math.abs(f[e])):g}(m[0]!==d[0]||m[1]!==d[1])&&(e.target=m)}return e}_constrainZoom({zoomX:e,zoomY:t},n){n||=this.getViewportProps();let{zoomAxis:r,maxZoomX:i,maxZoomY:a,maxBounds:o}=n,{minZoomX:s,minZoomY:c}=n;if(o!==null&&n.width>0&&n.height>0){let e=av(n.width,n.height,n.maxBoundsPadding),t=o[0],r=o[1],l=r[0]-t[0],u=r[1]-t[1];e.width>0&&Number.isFinite(l)&&l>0&&(s=Math.max(s,Math.log2(e.width/l)),s>i&&(s=i)),e.height>0&&Number.isFinite(u)&&u>0&&(c=Math.max(c,Math.log2(e.height/u)),c>a&&(c=a))}switch(r){case`X`:e=Ul(e,s,i);break;case`Y`:t=Ul(t,c,a);break;default:let n=Math.min(i-e,a-t,0);n===0&&(n=Math.max(s-e,c-t,0)),n!==0&&(e+=n,t+=n)}return{zoomX:e,zoomY:t}}},EE=class extends tv{constructor(){super(...arguments),this.ControllerState=TE,this.transition={transitionDuration:300,transitionInterpolator:new q_([`target`,`zoomX`,`zoomY`])},this.dragMode=`pan`}setProps(e){Object.assign(e,CE(e)),super.setProps(e)}_onMultiPanStart(e){return this.multiTouchDrag===`pan`&&super._onMultiPanStart(e)}_onPanRotate(){return!1}},DE=class extends P_{constructor(e={}){super(e)}getViewportType(){return xE}get ControllerType(){return EE}};DE.displayName=`OrthographicView`;var OE=class{constructor(e){this.indexStarts=[0],this.vertexStarts=[0],this.vertexCount=0,this.instanceCount=0;let{attributes:t={}}=e;this.typedArrayManager=Ah,this.attributes={},this._attributeDefs=t,this.opts=e,this.updateGeometry(e)}updateGeometry(e){Object.assign(this.opts,e);let{data:t,buffers:n={},getGeometry:r,geometryBuffer:i,positionFormat:a,dataChanged:o,normalize:s=!0}=this.opts;if(this.data=t,this.getGeometry=r,this.positionSize=i&&i.size||(a===`XY`?2:3),this.buffers=n,this.normalize=s,i&&(U_(t.startIndices),this.getGeometry=this.getGeometryFromBuffer(i),s||(n.vertexPositions=i)),this.geometryBuffer=n.vertexPositions,Array.isArray(o))for(let e of o)this._rebuildGeometry(e);else this._rebuildGeometry()}updatePartialGeometry({startRow:e,endRow:t}){this._rebuildGeometry({startRow:e,endRow:t})}getGeometryFromBuffer(e){let t=e.value||e;return ArrayBuffer.isView(t)?jS(t,{size:this.positionSize,offset:e.offset,stride:e.stride,startIndices:this.data.startIndices}):null}_allocate(e,t){let{attributes:n,buffers:r,_attributeDefs:i,typedArrayManager:a}=this;for(let o in i)if(o in r)a.release(n[o]),n[o]=null;else{let r=i[o];r.copy=t,n[o]=a.allocate(n[o],e,r)}}_forEachGeometry(e,t,n){let{data:r,getGeometry:i}=this,{iterable:a,objectInfo:o}=kS(r,t,n);for(let t of a)o.index++,e(i?i(t,o):null,o.index)}_rebuildGeometry(e){if(!this.data)return;let{indexStarts:t,vertexStarts:r,instanceCount:i}=this,{data:a,geometryBuffer:o}=this,{startRow:s=0,endRow:c=1/0}=e||{},l={};if(e||(t=[0],r=[0]),this.normalize||!o)this._forEachGeometry((e,t)=>{let n=e&&this.normalizeGeometry(e);l[t]=n,r[t+1]=r[t]+(n?this.getGeometrySize(n):0)},s,c),i=r[r.length-1];else if(r=a.startIndices,i=r[a.length]||0,ArrayBuffer.isView(o))i||=o.length/this.positionSize;else if(o instanceof n){let e=this.positionSize*4;i||=o.byteLength/e}else if(o.buffer){let e=o.stride||this.positionSize*4;i||=o.buffer.byteLength/e}else if(o.value){let e=o.value,t=o.stride/e.BYTES_PER_ELEMENT||this.positionSize;i||=e.length/t}this._allocate(i,!!e),this.indexStarts=t,this.vertexStarts=r,this.instanceCount=i;let u={};this._forEachGeometry((e,n)=>{let a=l[n]||e;u.vertexStart=r[n],u.indexStart=t[n];let o=n<r.length-1?r[n+1]:i;u.geometrySize=o-r[n],u.geometryIndex=n,this.updateGeometryAttributes(a,u)},s,c),this.vertexCount=t[t.length-1]}},kE=`layout(std140) uniform scatterplotUniforms {
  float radiusScale;
  float radiusMinPixels;
  float radiusMaxPixels;
  float lineWidthScale;
  float lineWidthMinPixels;
  float lineWidthMaxPixels;
  float stroked;
  float filled;
  bool antialiasing;
  bool billboard;
  highp int radiusUnits;
  highp int lineWidthUnits;
} scatterplot;
`,AE={name:`scatterplot`,vs:kE,fs:kE,source:``,uniformTypes:{radiusScale:`f32`,radiusMinPixels:`f32`,radiusMaxPixels:`f32`,lineWidthScale:`f32`,lineWidthMinPixels:`f32`,lineWidthMaxPixels:`f32`,stroked:`f32`,filled:`f32`,antialiasing:`f32`,billboard:`f32`,radiusUnits:`i32`,lineWidthUnits:`i32`}},jE=`#version 300 es
#define SHADER_NAME scatterplot-layer-vertex-shader
in vec3 positions;
in vec3 instancePositions;
in vec3 instancePositions64Low;
in float instanceRadius;
in float instanceLineWidths;
in vec4 instanceFillColors;
in vec4 instanceLineColors;
#ifdef USE_ROW_INDEXES
in float rowIndexes;
#endif
in vec2 instancePixelOffset;
out vec4 vFillColor;
out vec4 vLineColor;
out vec2 unitPosition;
out float innerUnitRadius;
out float outerRadiusPixels;
void main(void) {
geometry.worldPosition = instancePositions;
outerRadiusPixels = clamp(
project_size_to_pixel(scatterplot.radiusScale * instanceRadius, scatterplot.radiusUnits),
scatterplot.radiusMinPixels, scatterplot.radiusMaxPixels
);
float lineWidthPixels = clamp(
project_size_to_pixel(scatterplot.lineWidthScale * instanceLineWidths, scatterplot.lineWidthUnits),
scatterplot.lineWidthMinPixels, scatterplot.lineWidthMaxPixels
);
outerRadiusPixels += scatterplot.stroked * lineWidthPixels / 2.0;
float edgePadding = scatterplot.antialiasing ? (outerRadiusPixels + SMOOTH_EDGE_RADIUS) / outerRadiusPixels : 1.0;
unitPosition = edgePadding * positions.xy;
geometry.uv = unitPosition;
#ifdef USE_ROW_INDEXES
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
#else
geometry.pickingColor = picking_getPickingColorFromInstanceID();
#endif
innerUnitRadius = 1.0 - scatterplot.stroked * lineWidthPixels / outerRadiusPixels;
if (scatterplot.billboard) {
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, vec3(0.0), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
vec3 offset = edgePadding * positions * outerRadiusPixels;
offset.xy += instancePixelOffset;
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position.xy += project_pixel_size_to_clipspace(offset.xy);
} else {
vec3 offset = edgePadding * positions * project_pixel_size(outerRadiusPixels);
offset.xy += project_pixel_size(instancePixelOffset);
DECKGL_FILTER_SIZE(offset, geometry);
gl_Position = project_position_to_clipspace(instancePositions, instancePositions64Low, offset, geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
vFillColor = vec4(instanceFillColors.rgb, instanceFillColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vFillColor, geometry);
vLineColor = vec4(instanceLineColors.rgb, instanceLineColors.a * layer.opacity);
DECKGL_FILTER_COLOR(vLineColor, geometry);
}
`,ME=`#version 300 es
#define SHADER_NAME scatterplot-layer-fragment-shader
precision highp float;
in vec4 vFillColor;
in vec4 vLineColor;
in vec2 unitPosition;
in float innerUnitRadius;
in float outerRadiusPixels;
out vec4 fragColor;
void main(void) {
geometry.uv = unitPosition;
float distToCenter = length(unitPosition) * outerRadiusPixels;
float inCircle = scatterplot.antialiasing ?
smoothedge(distToCenter, outerRadiusPixels) :
step(distToCenter, outerRadiusPixels);
if (inCircle == 0.0) {
discard;
}
if (scatterplot.stroked > 0.5) {
float isLine = scatterplot.antialiasing ?
smoothedge(innerUnitRadius * outerRadiusPixels, distToCenter) :
step(innerUnitRadius * outerRadiusPixels, distToCenter);
if (scatterplot.filled > 0.5) {
fragColor = mix(vFillColor, vLineColor, isLine);
} else {
if (isLine == 0.0) {
discard;
}
fragColor = vec4(vLineColor.rgb, vLineColor.a * isLine);
}
} else if (scatterplot.filled < 0.5) {
discard;
} else {
fragColor = vFillColor;
}
fragColor.a *= inCircle;
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`,NE=`// Main shaders

struct ScatterplotUniforms {
  radiusScale: f32,
  radiusMinPixels: f32,
  radiusMaxPixels: f32,
  lineWidthScale: f32,
  lineWidthMinPixels: f32,
  lineWidthMaxPixels: f32,
  stroked: f32,
  filled: i32,
  antialiasing: i32,
  billboard: i32,
  radiusUnits: i32,
  lineWidthUnits: i32,
};

@group(0) @binding(0) var<uniform> scatterplot: ScatterplotUniforms;

struct Attributes {
  @builtin(instance_index) instanceIndex : u32,
  @builtin(vertex_index) vertexIndex : u32,
  @location(0) positions: vec3<f32>,
  @location(1) instancePositions: vec3<f32>,
  @location(2) instancePositions64Low: vec3<f32>,
  @location(3) instanceRadius: f32,
  @location(4) instanceLineWidths: f32,
  @location(5) instanceFillColors: vec4<f32>,
  @location(6) instanceLineColors: vec4<f32>,
  @location(7) instancePixelOffset: vec2<f32>,
  PICKING_COLOR_ATTRIBUTE
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vFillColor: vec4<f32>,
  @location(1) vLineColor: vec4<f32>,
  @location(2) unitPosition: vec2<f32>,
  @location(3) innerUnitRadius: f32,
  @location(4) outerRadiusPixels: f32,
  @location(5) pickingColor: vec3<f32>,
  @location(6) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var varyings: Varyings;

  // Draw an inline geometry constant array clip space triangle to verify that rendering works.
  // var positions = array<vec2<f32>, 3>(vec2(0.0, 0.5), vec2(-0.5, -0.5), vec2(0.5, -0.5));
  // if (attributes.instanceIndex == 0) {
  //   varyings.position = vec4<f32>(positions[attributes.vertexIndex], 0.0, 1.0);
  //   return varyings;
  // }

  geometry.worldPosition = attributes.instancePositions;

  // Multiply out radius and clamp to limits
  varyings.outerRadiusPixels = clamp(
    project_unit_size_to_pixel(scatterplot.radiusScale * attributes.instanceRadius, scatterplot.radiusUnits),
    scatterplot.radiusMinPixels, scatterplot.radiusMaxPixels
  );

  // Multiply out line width and clamp to limits
  let lineWidthPixels = clamp(
    project_unit_size_to_pixel(scatterplot.lineWidthScale * attributes.instanceLineWidths, scatterplot.lineWidthUnits),
    scatterplot.lineWidthMinPixels, scatterplot.lineWidthMaxPixels
  );

  // outer radius needs to offset by half stroke width
  varyings.outerRadiusPixels += scatterplot.stroked * lineWidthPixels / 2.0;
  // Expand geometry to accommodate edge smoothing
  // WGSL selects the second value when the condition is true, so keep the antialiased path second.
  let edgePadding = select(
    1.0,
    (varyings.outerRadiusPixels + SMOOTH_EDGE_RADIUS) / varyings.outerRadiusPixels,
    scatterplot.antialiasing != 0
  );

  // position on the containing square in [-1, 1] space
  varyings.unitPosition = edgePadding * attributes.positions.xy;
  geometry.uv = varyings.unitPosition;
  geometry.pickingColor = PICKING_COLOR_VALUE;

  varyings.innerUnitRadius = 1.0 - scatterplot.stroked * lineWidthPixels / varyings.outerRadiusPixels;

  if (scatterplot.billboard != 0) {
    let projectedPosition = project_position_to_clipspace_and_commonspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      vec3<f32>(0.0)
    );
    geometry.position = projectedPosition.commonPosition;
    varyings.position = projectedPosition.clipPosition;
    // DECKGL_FILTER_GL_POSITION(varyings.position, geometry);
    var offset = edgePadding * attributes.positions * varyings.outerRadiusPixels;
    offset = vec3<f32>(offset.xy + attributes.instancePixelOffset, offset.z);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let clipPixels = project_pixel_size_to_clipspace(offset.xy);
    varyings.position = vec4<f32>(varyings.position.x + clipPixels.x, varyings.position.y + clipPixels.y, varyings.position.z, varyings.position.w);
    geometry.position = vec4<f32>(
      geometry.position.xy + project_pixel_size_vec2(offset.xy),
      geometry.position.zw
    );
  } else {
    var offset = edgePadding * attributes.positions * project_pixel_size_float(varyings.outerRadiusPixels);
    offset = vec3<f32>(offset.xy + project_pixel_size_vec2(attributes.instancePixelOffset), offset.z);
    // DECKGL_FILTER_SIZE(offset, geometry);
    let projectedPosition = project_position_to_clipspace_and_commonspace(
      attributes.instancePositions,
      attributes.instancePositions64Low,
      offset
    );
    geometry.position = projectedPosition.commonPosition;
    varyings.position = projectedPosition.clipPosition;
    // DECKGL_FILTER_GL_POSITION(varyings.position, geometry);
  }

  varyings.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&varyings.position, geometry.worldPosition.xy);

  // Apply opacity to instance color, or return instance picking color
  varyings.vFillColor = vec4<f32>(attributes.instanceFillColors.rgb, attributes.instanceFillColors.a * layer.opacity);
  // DECKGL_FILTER_COLOR(varyings.vFillColor, geometry);
  varyings.vLineColor = vec4<f32>(attributes.instanceLineColors.rgb, attributes.instanceLineColors.a * layer.opacity);
  // DECKGL_FILTER_COLOR(varyings.vLineColor, geometry);
  varyings.pickingColor = geometry.pickingColor;

  return varyings;
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
  // var geometry: Geometry;
  // geometry.uv = unitPosition;

  let distToCenter = length(varyings.unitPosition) * varyings.outerRadiusPixels;
  let inCircle = select(
    step(distToCenter, varyings.outerRadiusPixels),
    smoothedge(distToCenter, varyings.outerRadiusPixels),
    scatterplot.antialiasing != 0
  );

  if (inCircle == 0.0) {
    discard;
  }

  var fragColor: vec4<f32>;

  if (scatterplot.stroked != 0) {
    let isLine = select(
      step(varyings.innerUnitRadius * varyings.outerRadiusPixels, distToCenter),
      smoothedge(varyings.innerUnitRadius * varyings.outerRadiusPixels, distToCenter),
      scatterplot.antialiasing != 0
    );

    if (scatterplot.filled != 0) {
      fragColor = mix(varyings.vFillColor, varyings.vLineColor, isLine);
    } else {
      if (isLine == 0.0) {
        discard;
      }
      fragColor = vec4<f32>(varyings.vLineColor.rgb, varyings.vLineColor.a * isLine);
    }
  } else if (scatterplot.filled == 0) {
    discard;
  } else {
    fragColor = varyings.vFillColor;
  }

  fragColor.a *= inCircle;

  clip_filterColor(varyings.clipCoordinates);

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(varyings.pickingColor)) {
      discard;
    }
    return vec4<f32>(varyings.pickingColor, 1.0);
  }

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(varyings.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  // Apply premultiplied alpha as required by transparent canvas
  fragColor = deckgl_premultiplied_alpha(fragColor);

  return fragColor;
  // return vec4<f32>(0, 0, 1, 1);
}
`;function PE(e){return NE.replace(`PICKING_COLOR_ATTRIBUTE`,e?`@location(8) rowIndexes: u32,`:``).replace(`PICKING_COLOR_VALUE`,e?`picking_getPickingColorFromIndex(attributes.rowIndexes)`:`picking_getPickingColorFromIndex(attributes.instanceIndex)`)}var FE=0,IE=1,LE={name:`clip`,source:`\
struct ClipUniforms {
  enabled: i32,
  mode: i32,
  bounds: vec4<f32>,
};

@group(2) @binding(auto) var<uniform> clipUniforms: ClipUniforms;

fn clip_isInBounds(coordinates: vec2<f32>) -> bool {
  return coordinates.x >= clipUniforms.bounds.x &&
    coordinates.y >= clipUniforms.bounds.y &&
    coordinates.x < clipUniforms.bounds.z &&
    coordinates.y < clipUniforms.bounds.w;
}

fn clip_filterPosition(position: ptr<function, vec4<f32>>, instanceCoordinates: vec2<f32>) {
  if (
    clipUniforms.enabled != 0 &&
    clipUniforms.mode == ${IE} &&
    !clip_isInBounds(instanceCoordinates)
  ) {
    *position = vec4<f32>(2.0, 2.0, 2.0, 1.0);
  }
}

fn clip_filterColor(geometryCoordinates: vec2<f32>) {
  if (
    clipUniforms.enabled != 0 &&
    clipUniforms.mode == ${FE} &&
    !clip_isInBounds(geometryCoordinates)
  ) {
    discard;
  }
}
`,props:{},uniforms:{},bindingLayout:[{name:`clip`,group:2}],uniformTypes:{enabled:`i32`,mode:`i32`,bounds:`vec4<f32>`},defaultUniforms:{enabled:0,mode:FE,bounds:[0,0,1,1]},getUniforms(e={}){let t={};return e.enabled!==void 0&&(t.enabled=+!!e.enabled),e.mode!==void 0&&(t.mode=e.mode===`instance`?IE:FE),e.bounds!==void 0&&(t.bounds=e.bounds),t}},RE=[0,0,0,255],zE={radiusUnits:`meters`,radiusScale:{type:`number`,min:0,value:1},radiusMinPixels:{type:`number`,min:0,value:0},radiusMaxPixels:{type:`number`,min:0,value:2**53-1},lineWidthUnits:`meters`,lineWidthScale:{type:`number`,min:0,value:1},lineWidthMinPixels:{type:`number`,min:0,value:0},lineWidthMaxPixels:{type:`number`,min:0,value:2**53-1},stroked:!1,filled:!0,billboard:!1,antialiasing:!0,getPosition:{type:`accessor`,value:e=>e.position},getRadius:{type:`accessor`,value:1},getFillColor:{type:`accessor`,value:RE},getLineColor:{type:`accessor`,value:RE},getLineWidth:{type:`accessor`,value:1},getPixelOffset:{type:`accessor`,value:[0,0]},strokeWidth:{deprecatedFor:`getLineWidth`},outline:{deprecatedFor:`stroked`},getColor:{deprecatedFor:[`getFillColor`,`getLineColor`]}},BE=class extends mE{getShaders(){let e=!!this.props.data?.attributes?.rowIndexes;return super.getShaders({vs:jE,fs:ME,source:PE(e),defines:e?{USE_ROW_INDEXES:!0}:{},modules:[sm,Wd,ah,AE,...this.context.device.type===`webgpu`?[LE]:[]]})}initializeState(){let e=this.props.data?.attributes?.rowIndexes?{rowIndexes:{size:1,type:`uint32`,noAlloc:!0}}:{};this.getAttributeManager().addInstanced({instancePositions:{size:3,type:`float64`,fp64:this.use64bitPositions(),transition:!0,accessor:`getPosition`},instanceRadius:{size:1,transition:!0,accessor:`getRadius`,defaultValue:1,bufferGroup:`scatterplot-instance-data`},instanceFillColors:{size:this.props.colorFormat.length,transition:!0,type:`unorm8`,accessor:`getFillColor`,defaultValue:[0,0,0,255],bufferGroup:`scatterplot-instance-data`},instanceLineColors:{size:this.props.colorFormat.length,transition:!0,type:`unorm8`,accessor:`getLineColor`,defaultValue:[0,0,0,255],bufferGroup:`scatterplot-instance-data`},instanceLineWidths:{size:1,transition:!0,accessor:`getLineWidth`,defaultValue:1,bufferGroup:`scatterplot-instance-data`},instancePixelOffset:{size:2,transition:!0,accessor:`getPixelOffset`,bufferGroup:`scatterplot-instance-data`},...e})}updateState(e){super.updateState(e),e.changeFlags.extensionsChanged&&(this.state.model?.destroy(),this.state.model=this._getModel(),this.getAttributeManager().invalidateAll())}draw({uniforms:e}){let{radiusUnits:t,radiusScale:n,radiusMinPixels:r,radiusMaxPixels:i,stroked:a,filled:o,billboard:s,antialiasing:c,lineWidthUnits:l,lineWidthScale:u,lineWidthMinPixels:d,lineWidthMaxPixels:f}=this.props,p={stroked:a,filled:o,billboard:s,antialiasing:c,radiusUnits:zp[t],radiusScale:n,radiusMinPixels:r,radiusMaxPixels:i,lineWidthUnits:zp[l],lineWidthScale:u,lineWidthMinPixels:d,lineWidthMaxPixels:f},m=this.state.model;m.shaderInputs.setProps({scatterplot:p}),m.draw(this.context.renderPass)}_getModel(){let e=[-1,-1,0,1,-1,0,-1,1,0,1,1,0];return new Bg(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new $h({topology:`triangle-strip`,attributes:{positions:{size:3,value:new Float32Array(e)}}}),isInstanced:!0})}};BE.defaultProps=zE,BE.layerName=`ScatterplotLayer`;var VE={CLOCKWISE:1,COUNTER_CLOCKWISE:-1};function HE(e,t,n={}){return UE(e,n)!==t&&(KE(e,n),!0)}function UE(e,t={}){return Math.sign(GE(e,t))}var WE={x:0,y:1,z:2};function GE(e,t={}){let{start:n=0,end:r=e.length,plane:i=`xy`}=t,a=t.size||2,o=0,s=WE[i[0]],c=WE[i[1]];for(let t=n,i=r-a;t<r;t+=a)o+=(e[t+s]-e[i+s])*(e[t+c]+e[i+c]),i=t;return o/2}function KE(e,t){let{start:n=0,end:r=e.length,size:i=2}=t,a=(r-n)/i,o=Math.floor(a/2);for(let t=0;t<o;++t){let r=n+t*i,o=n+(a-1-t)*i;for(let t=0;t<i;++t){let n=e[r+t];e[r+t]=e[o+t],e[o+t]=n}}}function qE(e,t){let n=t.length,r=e.length;if(r>0){let i=!0;for(let a=0;a<n;a++)if(e[r-n+a]!==t[a]){i=!1;break}if(i)return!1}for(let i=0;i<n;i++)e[r+i]=t[i];return!0}function JE(e,t){let n=t.length;for(let r=0;r<n;r++)e[r]=t[r]}function YE(e,t,n,r,i=[]){let a=r+t*n;for(let t=0;t<n;t++)i[t]=e[a+t];return i}function XE(e,t,n,r,i=[]){let a,o;if(n&8)a=(r[3]-e[1])/(t[1]-e[1]),o=3;else if(n&4)a=(r[1]-e[1])/(t[1]-e[1]),o=1;else if(n&2)a=(r[2]-e[0])/(t[0]-e[0]),o=2;else if(n&1)a=(r[0]-e[0])/(t[0]-e[0]),o=0;else return null;for(let n=0;n<e.length;n++)i[n]=(o&1)===n?r[o]:a*(t[n]-e[n])+e[n];return i}function ZE(e,t){let n=0;return e[0]<t[0]?n|=1:e[0]>t[2]&&(n|=2),e[1]<t[1]?n|=4:e[1]>t[3]&&(n|=8),n}function QE(e,t){let{size:n=2,broken:r=!1,gridResolution:i=10,gridOffset:a=[0,0],startIndex:o=0,endIndex:s=e.length}=t||{},c=(s-o)/n,l=[],u=[l],d=YE(e,0,n,o),f,p,m=rD(d,i,a,[]),h=[];qE(l,d);for(let t=1;t<c;t++){for(f=YE(e,t,n,o,f),p=ZE(f,m);p;){XE(d,f,p,m,h);let e=ZE(h,m);e&&(XE(d,h,e,m,h),p=e),qE(l,h),JE(d,h),iD(m,i,p),r&&l.length>n&&(l=[],u.push(l),qE(l,d)),p=ZE(f,m)}qE(l,f),JE(d,f)}return r?u:u[0]}var $E=0,eD=1;function tD(e,t=null,n){if(!e.length)return[];let{size:r=2,gridResolution:i=10,gridOffset:a=[0,0],edgeTypes:o=!1}=n||{},s=[],c=[{pos:e,types:o?Array(e.length/r).fill(eD):null,holes:t||[]}],l=[[],[]],u=[];for(;c.length;){let{pos:e,types:t,holes:n}=c.shift();aD(e,r,n[0]||e.length,l),u=rD(l[0],i,a,u);let d=ZE(l[1],u);if(d){let i=nD(e,t,r,0,n[0]||e.length,u,d),a={pos:i[0].pos,types:i[0].types,holes:[]},s={pos:i[1].pos,types:i[1].types,holes:[]};c.push(a,s);for(let c=0;c<n.length;c++)i=nD(e,t,r,n[c],n[c+1]||e.length,u,d),i[0]&&(a.holes.push(a.pos.length),a.pos=oD(a.pos,i[0].pos),o&&(a.types=oD(a.types,i[0].types))),i[1]&&(s.holes.push(s.pos.length),s.pos=oD(s.pos,i[1].pos),o&&(s.types=oD(s.types,i[1].types)))}else{let r={positions:e};o&&(r.edgeTypes=t),n.length&&(r.holeIndices=n),s.push(r)}}return s}function nD(e,t,n,r,i,a,o){let s=(i-r)/n,c=[],l=[],u=[],d=[],f=[],p,m,h,g=YE(e,s-1,n,r),_=Math.sign(o&8?g[1]-a[3]:g[0]-a[2]),v=t&&t[s-1],y=0,b=0;for(let i=0;i<s;i++)p=YE(e,i,n,r,p),m=Math.sign(o&8?p[1]-a[3]:p[0]-a[2]),h=t&&t[r/n+i],m&&_&&_!==m&&(XE(g,p,o,a,f),qE(c,f)&&u.push(v),qE(l,f)&&d.push(v)),m<=0?(qE(c,p)&&u.push(h),y-=m):u.length&&(u[u.length-1]=$E),m>=0?(qE(l,p)&&d.push(h),b+=m):d.length&&(d[d.length-1]=$E),JE(g,p),_=m,v=h;return[y?{pos:c,types:t&&u}:null,b?{pos:l,types:t&&d}:null]}function rD(e,t,n,r){let i=Math.floor((e[0]-n[0])/t)*t+n[0],a=Math.floor((e[1]-n[1])/t)*t+n[1];return r[0]=i,r[1]=a,r[2]=i+t,r[3]=a+t,r}function iD(e,t,n){n&8?(e[1]+=t,e[3]+=t):n&4?(e[1]-=t,e[3]-=t):n&2?(e[0]+=t,e[2]+=t):n&1&&(e[0]-=t,e[2]-=t)}function aD(e,t,n,r){let i=1/0,a=-1/0,o=1/0,s=-1/0;for(let r=0;r<n;r+=t){let t=e[r],n=e[r+1];i=t<i?t:i,a=t>a?t:a,o=n<o?n:o,s=n>s?n:s}return r[0][0]=i,r[0][1]=o,r[1][0]=a,r[1][1]=s,r}function oD(e,t){for(let n=0;n<t.length;n++)e.push(t[n]);return e}var sD=85.051129;function cD(e,t){let{size:n=2,startIndex:r=0,endIndex:i=e.length,normalize:a=!0}=t||{},o=e.slice(r,i);fD(o,n,0,i-r);let s=QE(o,{size:n,broken:!0,gridResolution:360,gridOffset:[-180,-180]});if(a)for(let e of s)pD(e,n);return s}function lD(e,t=null,n){let{size:r=2,normalize:i=!0,edgeTypes:a=!1}=n||{};t||=[];let o=[],s=[],c=0,l=0;for(let i=0;i<=t.length;i++){let a=t[i]||e.length,u=l,d=uD(e,r,c,a);for(let t=d;t<a;t++)o[l++]=e[t];for(let t=c;t<d;t++)o[l++]=e[t];fD(o,r,u,l),dD(o,r,u,l,n?.maxLatitude),c=a,s[i]=l}s.pop();let u=tD(o,s,{size:r,gridResolution:360,gridOffset:[-180,-180],edgeTypes:a});if(i)for(let e of u)pD(e.positions,r);return u}function uD(e,t,n,r){let i=-1,a=-1;for(let o=n+1;o<r;o+=t){let t=Math.abs(e[o]);t>i&&(i=t,a=o-1)}return a}function dD(e,t,n,r,i=sD){let a=e[n],o=e[r-t];if(Math.abs(a-o)>180){let r=YE(e,0,t,n);r[0]+=Math.round((o-a)/360)*360,qE(e,r),r[1]=Math.sign(r[1])*i,qE(e,r),r[0]=a,qE(e,r)}}function fD(e,t,n,r){let i=e[0],a;for(let o=n;o<r;o+=t){a=e[o];let t=a-i;(t>180||t<-180)&&(a-=Math.round(t/360)*360),e[o]=i=a}}function pD(e,t){let n,r=e.length/t;for(let i=0;i<r&&(n=e[i*t],(n+180)%360==0);i++);let i=-Math.round(n/360)*360;if(i!==0)for(let n=0;n<r;n++)e[n*t]+=i}function mD(e,t,n,r){let i;if(Array.isArray(e[0])){let n=e.length*t;i=Array(n);for(let n=0;n<e.length;n++)for(let r=0;r<t;r++)i[n*t+r]=e[n][r]||0}else i=e;return n?QE(i,{size:t,gridResolution:n}):r?cD(i,{size:t}):i}var hD=1,gD=2,_D=4,vD=class extends OE{constructor(e){super({...e,attributes:{positions:{size:3,padding:18,initialize:!0,type:e.fp64?Float64Array:Float32Array},segmentTypes:{size:1,type:e.isWebGPU?Float32Array:Uint8ClampedArray}}})}get(e){return this.attributes[e]}getPathSegmentIndices(e){let t=this.attributes.segmentTypes,n=this.vertexStarts[e],r=Math.min(this.vertexStarts[e+1]??this.instanceCount,this.instanceCount),i=[];for(let e=n;e<r-1;e++)(t[e]&_D)===0&&i.push(e);return i.length&&(t[n]&_D)!==0&&i.unshift(i.pop()),i}getGeometryFromBuffer(e){return this.normalize||this.opts.isWebGPU?super.getGeometryFromBuffer(e):null}normalizeGeometry(e){return this.normalize?mD(e,this.positionSize,this.opts.resolution,this.opts.wrapLongitude):e}getGeometrySize(e){if(yD(e)){let t=0;for(let n of e)t+=this.getGeometrySize(n);return t}let t=this.getPathLength(e);return t<2?0:this.isClosed(e)?t<3?0:t+2:t}updateGeometryAttributes(e,t){if(t.geometrySize!==0){if(e&&yD(e))for(let n of e){let e=this.getGeometrySize(n);t.geometrySize=e,this.updateGeometryAttributes(n,t),t.vertexStart+=e}else this._updateSegmentTypes(e,t),this._updatePositions(e,t)}}_updateSegmentTypes(e,t){let n=this.attributes.segmentTypes,r=e?this.isClosed(e):!1,{vertexStart:i,geometrySize:a}=t;n.fill(0,i,i+a),r?(n[i]=_D,n[i+a-2]=_D):(n[i]+=hD,n[i+a-2]+=gD),n[i+a-1]=_D}_updatePositions(e,t){let{positions:n}=this.attributes;if(!n||!e)return;let{vertexStart:r,geometrySize:i}=t,a=[,,,];for(let t=r,o=0;o<i;t++,o++)this.getPointOnPath(e,o,a),n[t*3]=a[0],n[t*3+1]=a[1],n[t*3+2]=a[2]}getPathLength(e){return e.length/this.positionSize}getPointOnPath(e,t,n=[]){let{positionSize:r}=this;t*r>=e.length&&(t+=1-e.length/r);let i=t*r;return n[0]=e[i],n[1]=e[i+1],n[2]=r===3&&e[i+2]||0,n}isClosed(e){if(!this.normalize)return!!this.opts.loop;let{positionSize:t}=this,n=e.length-t;return e[0]===e[n]&&e[1]===e[n+1]&&(t===2||e[2]===e[n+2])}};function yD(e){return Array.isArray(e[0])}var bD=`struct PathUniforms {
  widthScale: f32,
  widthMinPixels: f32,
  widthMaxPixels: f32,
  jointType: f32,
  capType: f32,
  miterLimit: f32,
  billboard: f32,
  widthUnits: i32,
};

@group(0) @binding(auto)
var<uniform> path: PathUniforms;
`,xD=`layout(std140) uniform pathUniforms {
  float widthScale;
  float widthMinPixels;
  float widthMaxPixels;
  float jointType;
  float capType;
  float miterLimit;
  bool billboard;
  highp int widthUnits;
} path;
`,SD={name:`path`,source:bD,vs:xD,fs:xD,uniformTypes:{widthScale:`f32`,widthMinPixels:`f32`,widthMaxPixels:`f32`,jointType:`f32`,capType:`f32`,miterLimit:`f32`,billboard:`f32`,widthUnits:`i32`}},CD=`const EPSILON: f32 = 0.001;
const ZERO_OFFSET: vec3<f32> = vec3<f32>(0.0, 0.0, 0.0);

struct JoinResult {
  offset: vec3<f32>,
  cornerOffset: vec2<f32>,
  miterLength: f32,
  pathPosition: vec2<f32>,
  pathLength: f32,
  jointType: f32,
};

struct Attributes {
  @location(0) positions: vec2<f32>,
  @location(1) instanceTypes: f32,
  @location(2) instanceLeftPositions: vec3<f32>,
  @location(3) instanceStartPositions: vec3<f32>,
  @location(4) instanceEndPositions: vec3<f32>,
  @location(5) instanceRightPositions: vec3<f32>,
  @location(6) instanceLeftPositions64Low: vec3<f32>,
  @location(7) instanceStartPositions64Low: vec3<f32>,
  @location(8) instanceEndPositions64Low: vec3<f32>,
  @location(9) instanceRightPositions64Low: vec3<f32>,
  @location(10) instanceStrokeWidths: f32,
  @location(11) instanceColors: vec4<f32>,
  @location(12) rowIndexes: u32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) vCornerOffset: vec2<f32>,
  @location(2) vMiterLength: f32,
  @location(3) vPathPosition: vec2<f32>,
  @location(4) vPathLength: f32,
  @location(5) vJointType: f32,
  // Location 6 is reserved for TripsLayer's injected vTime varying.
  @location(7) clipCoordinates: vec2<f32>,
#ifdef DASH_ENABLED
  @location(8) vPathBounds: vec2<f32>,
#endif
};

fn flipIfTrue(flag: bool) -> f32 {
  return select(1.0, -1.0, flag);
}

fn clipLine(position: vec4<f32>, refPosition: vec4<f32>) -> vec4<f32> {
  if (position.w < EPSILON) {
    let r = (EPSILON - refPosition.w) / (position.w - refPosition.w);
    return refPosition + (position - refPosition) * r;
  }
  return position;
}

#ifdef DASH_ENABLED
// Return the visible interval of the original segment before clipLine moves either endpoint.
fn getClippedPathRange(startW: f32, endW: f32) -> vec2<f32> {
  let startClipped = startW < EPSILON;
  let endClipped = endW < EPSILON;
  if (startClipped && endClipped) {
    return vec2<f32>(0.0, 0.0);
  }
  if (startClipped || endClipped) {
    let intersection = clamp((EPSILON - startW) / (endW - startW), 0.0, 1.0);
    if (startClipped) {
      return vec2<f32>(intersection, 1.0);
    }
    return vec2<f32>(0.0, intersection);
  }
  return vec2<f32>(0.0, 1.0);
}
#endif

fn getLineJoinOffset(
  prevPoint: vec3<f32>,
  currPoint: vec3<f32>,
  nextPoint: vec3<f32>,
  width: vec2<f32>,
#ifdef DASH_ENABLED
  sourcePathLength: f32,
  sourcePathRange: vec2<f32>,
#endif
#ifdef ANTIALIASING
  coverageScale: f32,
#endif
  positions: vec2<f32>,
  instanceTypes: f32
) -> JoinResult {
  let isEnd = positions.x > 0.0;
  let sideOfPath = positions.y;
  let isJoint = select(0.0, 1.0, sideOfPath == 0.0);

  var deltaA3 = currPoint - prevPoint;
  var deltaB3 = nextPoint - currPoint;

  let rotationResult = project_needs_rotation(currPoint);
  if (path.billboard == 0.0 && rotationResult.needsRotation) {
    deltaA3 = rotationResult.transform * deltaA3;
    deltaB3 = rotationResult.transform * deltaB3;
  }

  let deltaA = deltaA3.xy / width;
  let deltaB = deltaB3.xy / width;

  let lenA = length(deltaA);
  let lenB = length(deltaB);

  let dirA = select(vec2<f32>(0.0, 0.0), normalize(deltaA), lenA > 0.0);
  let dirB = select(vec2<f32>(0.0, 0.0), normalize(deltaB), lenB > 0.0);

  let perpA = vec2<f32>(-dirA.y, dirA.x);
  let perpB = vec2<f32>(-dirB.y, dirB.x);

  var tangent = dirA + dirB;
  tangent = select(perpA, normalize(tangent), length(tangent) > 0.0);
  let miterVec = vec2<f32>(-tangent.y, tangent.x);
  let dir = select(dirB, dirA, isEnd);
  let perp = select(perpB, perpA, isEnd);
#ifdef DASH_ENABLED
  let segmentLength2D = select(lenB, lenA, isEnd);

  // Extrusion happens in the XY plane, so segmentLength2D is a 2D length and pathPosition.y
  // below measures 2D distance along the segment. For a path that also moves in Z the true
  // arc length is longer by this ratio. Scaling pathLength and pathPosition.y by it makes
  // the coordinate measure real 3D distance while leaving the joint tests unchanged, since
  // they compare the two against each other and both are scaled alike. Billboard mode
  // extrudes in clip space, where the perspective divide has already reduced the segment to
  // its screen projection, so its complete common-space length is supplied by the caller.
  // Mirrors path-layer-vertex.glsl.ts.
  let currDelta3 = select(deltaB3, deltaA3, isEnd);
  let currLength2D = length(currDelta3.xy);
  // Do not clamp a valid denominator to EPSILON: high-zoom Web Mercator deltas are often
  // smaller than that in common space, and changing their scale corrupts even flat paths.
  let safeLength2D = select(1.0, currLength2D, currLength2D > 0.0);
  var arcLengthRatio = 1.0;
  var pathPositionOffset = 0.0;
  var pathLength = segmentLength2D;
  if (path.billboard != 0.0) {
    // clipLine may shorten the visible screen-space segment. Preserve the corresponding interval
    // of the complete common-space arclength instead of compressing the full dash period into the
    // visible span. Keep pathLength complete so justification is stable as the camera clips it.
    let visiblePathLength = sourcePathLength * (sourcePathRange.y - sourcePathRange.x);
    arcLengthRatio = 0.0;
    if (segmentLength2D > 0.0) {
      arcLengthRatio = visiblePathLength / segmentLength2D;
    }
    pathPositionOffset = sourcePathLength * sourcePathRange.x;
    pathLength = sourcePathLength;
  } else if (currLength2D > 0.0) {
    arcLengthRatio = length(currDelta3) / safeLength2D;
    pathLength = segmentLength2D * arcLengthRatio;
  }
#else
  let pathLength = select(lenB, lenA, isEnd);
#endif

  let sinHalfA = abs(dot(miterVec, perp));
  let cosHalfA = abs(dot(dirA, miterVec));
  let turnDirection = flipIfTrue(dirA.x * dirB.y >= dirA.y * dirB.x);
  let cornerPosition = sideOfPath * turnDirection;

  var miterSize = 1.0 / max(sinHalfA, EPSILON);
  miterSize = mix(
    min(miterSize, max(lenA, lenB) / max(cosHalfA, EPSILON)),
    miterSize,
    step(0.0, cornerPosition)
  );

  var offsetVec =
    mix(miterVec * miterSize, perp, step(0.5, cornerPosition)) *
    (sideOfPath + isJoint * turnDirection);

  let isStartCap = lenA == 0.0 || (!isEnd && (instanceTypes == 1.0 || instanceTypes == 3.0));
  let isEndCap = lenB == 0.0 || (isEnd && (instanceTypes == 2.0 || instanceTypes == 3.0));
  let isCap = isStartCap || isEndCap;

  var jointType = path.jointType;
  if (isCap) {
    offsetVec = mix(
      perp * sideOfPath,
      dir * path.capType * 4.0 * flipIfTrue(isStartCap),
      isJoint
    );
    jointType = path.capType;
  }

#ifdef ANTIALIASING
  let coverageOffsetVec = offsetVec * coverageScale;
  var miterLength = dot(coverageOffsetVec, miterVec * turnDirection);
#else
  var miterLength = dot(offsetVec, miterVec * turnDirection);
#endif
  miterLength = select(miterLength, isJoint, isCap);

#ifdef ANTIALIASING
  let offsetFromStartOfPath = coverageOffsetVec + deltaA * select(0.0, 1.0, isEnd);
#else
  let offsetFromStartOfPath = offsetVec + deltaA * select(0.0, 1.0, isEnd);
#endif
  let pathPosition = vec2<f32>(
    dot(offsetFromStartOfPath, perp),
#ifdef DASH_ENABLED
    pathPositionOffset + dot(offsetFromStartOfPath, dir) * arcLengthRatio
#else
    dot(offsetFromStartOfPath, dir)
#endif
  );
  let isValid = step(f32(instanceTypes), 3.5);
#ifdef ANTIALIASING
  var offset = vec3<f32>(coverageOffsetVec * width * isValid, 0.0);
#else
  var offset = vec3<f32>(offsetVec * width * isValid, 0.0);
#endif

  if (path.billboard == 0.0 && rotationResult.needsRotation) {
    offset = rotationResult.transform * offset;
  }

#ifdef ANTIALIASING
  return JoinResult(
    offset, coverageOffsetVec, miterLength, pathPosition, pathLength, jointType
  );
#else
  return JoinResult(offset, offsetVec, miterLength, pathPosition, pathLength, jointType);
#endif
}

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var varyings: Varyings;

  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);

  let isEnd = attributes.positions.x;

  let prevPosition = mix(attributes.instanceLeftPositions, attributes.instanceStartPositions, isEnd);
  let prevPosition64Low = mix(
    attributes.instanceLeftPositions64Low,
    attributes.instanceStartPositions64Low,
    isEnd
  );
  let currPosition = mix(attributes.instanceStartPositions, attributes.instanceEndPositions, isEnd);
  let currPosition64Low = mix(
    attributes.instanceStartPositions64Low,
    attributes.instanceEndPositions64Low,
    isEnd
  );
  let nextPosition = mix(attributes.instanceEndPositions, attributes.instanceRightPositions, isEnd);
  let nextPosition64Low = mix(
    attributes.instanceEndPositions64Low,
    attributes.instanceRightPositions64Low,
    isEnd
  );

  geometry.worldPosition = currPosition;

  let widthPixels =
    clamp(
      project_unit_size_to_pixel(attributes.instanceStrokeWidths * path.widthScale, path.widthUnits),
      path.widthMinPixels,
      path.widthMaxPixels
    ) / 2.0;

  if (path.billboard != 0.0) {
#ifdef DASH_ENABLED
    let prevProjection = project_position_to_clipspace_and_commonspace(
      prevPosition, prevPosition64Low, ZERO_OFFSET
    );
    let nextProjection = project_position_to_clipspace_and_commonspace(
      nextPosition, nextPosition64Low, ZERO_OFFSET
    );
    let prevPositionCommon = prevProjection.commonPosition.xyz;
    let nextPositionCommon = nextProjection.commonPosition.xyz;
    var prevPositionScreen = prevProjection.clipPosition;
    var nextPositionScreen = nextProjection.clipPosition;
#else
    var prevPositionScreen = project_position_to_clipspace(
      prevPosition, prevPosition64Low, ZERO_OFFSET
    );
    var nextPositionScreen = project_position_to_clipspace(
      nextPosition, nextPosition64Low, ZERO_OFFSET
    );
#endif
    let currProjection = project_position_to_clipspace_and_commonspace(
      currPosition, currPosition64Low, ZERO_OFFSET
    );
    geometry.position = currProjection.commonPosition;
    var currPositionScreen = currProjection.clipPosition;
#ifdef DASH_ENABLED
    let currPositionCommon = currProjection.commonPosition.xyz;
    let sourcePathStartScreen = mix(currPositionScreen, prevPositionScreen, isEnd);
    let sourcePathEndScreen = mix(nextPositionScreen, currPositionScreen, isEnd);
    let billboardPathRange = getClippedPathRange(
      sourcePathStartScreen.w, sourcePathEndScreen.w
    );
#endif

    prevPositionScreen = clipLine(prevPositionScreen, currPositionScreen);
    nextPositionScreen = clipLine(nextPositionScreen, currPositionScreen);
    currPositionScreen = clipLine(currPositionScreen, mix(nextPositionScreen, prevPositionScreen, isEnd));

#ifdef ANTIALIASING
    let coverageScale = select(
      1.0,
      (widthPixels + 0.5 / project.devicePixelRatio) / max(widthPixels, 1e-6),
      widthPixels > 0.0
    );
#endif
#ifdef DASH_ENABLED
    let currentDeltaCommon = select(
      nextPositionCommon - currPositionCommon,
      currPositionCommon - prevPositionCommon,
      isEnd > 0.0
    );
    let billboardPathLength = select(
      0.0,
      length(currentDeltaCommon) * project.scale / (widthPixels * project.focalDistance),
      widthPixels > 0.0
    );
#endif
    let join = getLineJoinOffset(
      prevPositionScreen.xyz / prevPositionScreen.w,
      currPositionScreen.xyz / currPositionScreen.w,
      nextPositionScreen.xyz / nextPositionScreen.w,
      project_pixel_size_to_clipspace(vec2<f32>(widthPixels, widthPixels)),
#ifdef DASH_ENABLED
      billboardPathLength,
      billboardPathRange,
#endif
#ifdef ANTIALIASING
      coverageScale,
#endif
      attributes.positions,
      attributes.instanceTypes
    );
#ifdef DASH_ENABLED
    // Phase and justification use the complete source segment, while cap and joint coverage
    // must still recognize the endpoints moved by clipLine.
    varyings.vPathBounds = billboardPathLength * billboardPathRange;
#endif

    geometry.uv = join.pathPosition;
    varyings.position = vec4<f32>(
      currPositionScreen.xyz + join.offset * currPositionScreen.w,
      currPositionScreen.w
    );
    varyings.vCornerOffset = join.cornerOffset;
    varyings.vMiterLength = join.miterLength;
    varyings.vPathPosition = join.pathPosition;
    varyings.vPathLength = join.pathLength;
    varyings.vJointType = join.jointType;
  } else {
    let prevPositionCommon = project_position_vec3_f64(prevPosition, prevPosition64Low);
    let currPositionCommon = project_position_vec3_f64(currPosition, currPosition64Low);
    let nextPositionCommon = project_position_vec3_f64(nextPosition, nextPosition64Low);

    let width = vec2<f32>(
      project_pixel_size_float(widthPixels),
      project_pixel_size_float(widthPixels)
    );
#ifdef ANTIALIASING
    let coverageScale = select(
      1.0,
      (widthPixels + 0.5 / project.devicePixelRatio) / max(widthPixels, 1e-6),
      widthPixels > 0.0
    );
#endif
    let join = getLineJoinOffset(
      prevPositionCommon,
      currPositionCommon,
      nextPositionCommon,
      width,
#ifdef DASH_ENABLED
      1.0,
      vec2<f32>(0.0, 1.0),
#endif
#ifdef ANTIALIASING
      coverageScale,
#endif
      attributes.positions,
      attributes.instanceTypes
    );
#ifdef DASH_ENABLED
    varyings.vPathBounds = vec2<f32>(0.0, join.pathLength);
#endif

    geometry.position = vec4<f32>(currPositionCommon + join.offset, 1.0);
    geometry.uv = join.pathPosition;
    varyings.position = project_common_position_to_clipspace(geometry.position);
    varyings.vCornerOffset = join.cornerOffset;
    varyings.vMiterLength = join.miterLength;
    varyings.vPathPosition = join.pathPosition;
    varyings.vPathLength = join.pathLength;
    varyings.vJointType = join.jointType;
  }

  varyings.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&varyings.position, geometry.worldPosition.xy);

  varyings.vColor = vec4<f32>(
    attributes.instanceColors.rgb,
    attributes.instanceColors.a * layer.opacity
  );
  return varyings;
}

@fragment
fn fragmentMain(varyings: Varyings) -> @location(0) vec4<f32> {
  geometry.uv = varyings.vPathPosition;

#ifdef ANTIALIASING
  // Coordinates of the outer silhouette, in units of half-width: rounded joints and caps are
  // bounded by the corner offset, everywhere else by the edge of the stroke. Dividing by the
  // screen-space derivative converts the distance to the boundary into device pixels, which stays
  // correct under perspective foreshortening and under extensions that rescale the stroke.
#ifdef DASH_ENABLED
  let isCorner =
    varyings.vPathPosition.y < varyings.vPathBounds.x ||
    varyings.vPathPosition.y > varyings.vPathBounds.y;
#else
  let isCorner = varyings.vPathPosition.y < 0.0 || varyings.vPathPosition.y > varyings.vPathLength;
#endif
  let isRound = varyings.vJointType > 0.5;

  // Distance to the silhouette in device pixels, from the derivative of the coordinate that
  // bounds it. Computed before the discards below: derivatives need uniform control flow and are
  // undefined after a discard in the quad. See dev-docs/RFCs/v9.4/analytic-antialiasing-rfc.md
  let bodyCoord = abs(varyings.vPathPosition.x);
  let cornerCoord = length(varyings.vCornerOffset);
  // Both evaluated so each derivative stays on one field across the corner/body boundary
  let bodyPixels = (1.0 - bodyCoord) / max(fwidth(bodyCoord), 1e-6);
  let cornerPixels = (1.0 - cornerCoord) / max(fwidth(cornerCoord), 1e-6);
#ifdef PATH_STYLE_OFFSET
  // Rounded corners still intersect the stroke-width envelope. Extensions may remap
  // vPathPosition.x independently of vCornerOffset, as PathStyleExtension does for offsets.
  let edgePixels = select(bodyPixels, min(cornerPixels, bodyPixels), isRound && isCorner);
#else
  let edgePixels = select(bodyPixels, cornerPixels, isRound && isCorner);
#endif

  // Fragments outside the coverage ramp must not write depth or picking colors.
  if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
    discard;
  }

  if (isCorner) {
    if (!isRound && varyings.vMiterLength > path.miterLimit + 1.0) {
      discard;
    }
  }

  var color = varyings.vColor;

  // Feather one device pixel across the width only, before premultiplication. edgePixels is a
  // signed device-pixel distance and SMOOTH_EDGE_RADIUS is 0.5, so this ramps across one pixel.
  color.a *= smoothedge(0.0, edgePixels);
#else
#ifdef DASH_ENABLED
  if (
    varyings.vPathPosition.y < varyings.vPathBounds.x ||
    varyings.vPathPosition.y > varyings.vPathBounds.y
  ) {
#else
  if (
    varyings.vPathPosition.y < 0.0 ||
    varyings.vPathPosition.y > varyings.vPathLength
  ) {
#endif
    if (varyings.vJointType > 0.5 && length(varyings.vCornerOffset) > 1.0) {
      discard;
    }
    if (
      varyings.vJointType < 0.5 &&
      varyings.vMiterLength > path.miterLimit + 1.0
    ) {
      discard;
    }
  }
#endif

  // Fragment-layer injections that discard pixels must run after analytic coverage derivatives.
  // See TripsLayer, which rejects fragments outside of the active time window at this anchor.
  // DECKGL_FILTER_COLOR
  clip_filterColor(varyings.clipCoordinates);
#ifdef ANTIALIASING
  return deckgl_premultiplied_alpha(color);
#else
  return deckgl_premultiplied_alpha(varyings.vColor);
#endif
}
`,wD=`#version 300 es
#define SHADER_NAME path-layer-vertex-shader
in vec2 positions;
in float instanceTypes;
in vec3 instanceStartPositions;
in vec3 instanceEndPositions;
in vec3 instanceLeftPositions;
in vec3 instanceRightPositions;
in vec3 instanceLeftPositions64Low;
in vec3 instanceStartPositions64Low;
in vec3 instanceEndPositions64Low;
in vec3 instanceRightPositions64Low;
in float instanceStrokeWidths;
in vec4 instanceColors;
in float rowIndexes;
uniform float opacity;
out vec4 vColor;
out vec2 vCornerOffset;
out float vMiterLength;
out vec2 vPathPosition;
out float vPathLength;
out float vJointType;
#ifdef DASH_ENABLED
out vec2 vPathBounds;
#endif
const float EPSILON = 0.001;
const vec3 ZERO_OFFSET = vec3(0.0);
float flipIfTrue(bool flag) {
return -(float(flag) * 2. - 1.);
}
vec3 getLineJoinOffset(
vec3 prevPoint, vec3 currPoint, vec3 nextPoint,
vec2 width
#ifdef DASH_ENABLED
, float sourcePathLength, vec2 sourcePathRange
#endif
#ifdef ANTIALIASING
, float coverageScale
#endif
) {
bool isEnd = positions.x > 0.0;
float sideOfPath = positions.y;
float isJoint = float(sideOfPath == 0.0);
vec3 deltaA3 = (currPoint - prevPoint);
vec3 deltaB3 = (nextPoint - currPoint);
mat3 rotationMatrix;
bool needsRotation = !path.billboard && project_needs_rotation(currPoint, rotationMatrix);
if (needsRotation) {
deltaA3 = deltaA3 * rotationMatrix;
deltaB3 = deltaB3 * rotationMatrix;
}
vec2 deltaA = deltaA3.xy / width;
vec2 deltaB = deltaB3.xy / width;
float lenA = length(deltaA);
float lenB = length(deltaB);
vec2 dirA = lenA > 0. ? normalize(deltaA) : vec2(0.0, 0.0);
vec2 dirB = lenB > 0. ? normalize(deltaB) : vec2(0.0, 0.0);
vec2 perpA = vec2(-dirA.y, dirA.x);
vec2 perpB = vec2(-dirB.y, dirB.x);
vec2 tangent = dirA + dirB;
tangent = length(tangent) > 0. ? normalize(tangent) : perpA;
vec2 miterVec = vec2(-tangent.y, tangent.x);
vec2 dir = isEnd ? dirA : dirB;
vec2 perp = isEnd ? perpA : perpB;
float L = isEnd ? lenA : lenB;
#ifdef DASH_ENABLED
vec3 currDelta3 = isEnd ? deltaA3 : deltaB3;
float currLength2D = length(currDelta3.xy);
float arcLengthRatio = 1.0;
float pathPositionOffset = 0.0;
float pathLength = L;
if (path.billboard) {
float visiblePathLength = sourcePathLength * (sourcePathRange.y - sourcePathRange.x);
arcLengthRatio = L > 0.0 ? visiblePathLength / L : 0.0;
pathPositionOffset = sourcePathLength * sourcePathRange.x;
pathLength = sourcePathLength;
} else if (currLength2D > 0.0) {
arcLengthRatio = length(currDelta3) / currLength2D;
pathLength = L * arcLengthRatio;
}
#endif
float sinHalfA = abs(dot(miterVec, perp));
float cosHalfA = abs(dot(dirA, miterVec));
float turnDirection = flipIfTrue(dirA.x * dirB.y >= dirA.y * dirB.x);
float cornerPosition = sideOfPath * turnDirection;
float miterSize = 1.0 / max(sinHalfA, EPSILON);
miterSize = mix(
min(miterSize, max(lenA, lenB) / max(cosHalfA, EPSILON)),
miterSize,
step(0.0, cornerPosition)
);
vec2 offsetVec = mix(miterVec * miterSize, perp, step(0.5, cornerPosition))
* (sideOfPath + isJoint * turnDirection);
bool isStartCap = lenA == 0.0 || (!isEnd && (instanceTypes == 1.0 || instanceTypes == 3.0));
bool isEndCap = lenB == 0.0 || (isEnd && (instanceTypes == 2.0 || instanceTypes == 3.0));
bool isCap = isStartCap || isEndCap;
if (isCap) {
offsetVec = mix(perp * sideOfPath, dir * path.capType * 4.0 * flipIfTrue(isStartCap), isJoint);
vJointType = path.capType;
} else {
vJointType = path.jointType;
}
#ifdef ANTIALIASING
vec2 coverageOffsetVec = offsetVec * coverageScale;
#ifdef DASH_ENABLED
vPathLength = pathLength;
#else
vPathLength = L;
#endif
vCornerOffset = coverageOffsetVec;
vMiterLength = dot(vCornerOffset, miterVec * turnDirection);
vMiterLength = isCap ? isJoint : vMiterLength;
vec2 offsetFromStartOfPath = coverageOffsetVec + deltaA * float(isEnd);
vPathPosition = vec2(
dot(offsetFromStartOfPath, perp),
#ifdef DASH_ENABLED
pathPositionOffset + dot(offsetFromStartOfPath, dir) * arcLengthRatio
#else
dot(offsetFromStartOfPath, dir)
#endif
);
geometry.uv = vPathPosition;
float isValid = step(instanceTypes, 3.5);
vec3 offset = vec3(coverageOffsetVec * width * isValid, 0.0);
#else
#ifdef DASH_ENABLED
vPathLength = pathLength;
#else
vPathLength = L;
#endif
vCornerOffset = offsetVec;
vMiterLength = dot(vCornerOffset, miterVec * turnDirection);
vMiterLength = isCap ? isJoint : vMiterLength;
vec2 offsetFromStartOfPath = vCornerOffset + deltaA * float(isEnd);
vPathPosition = vec2(
dot(offsetFromStartOfPath, perp),
#ifdef DASH_ENABLED
pathPositionOffset + dot(offsetFromStartOfPath, dir) * arcLengthRatio
#else
dot(offsetFromStartOfPath, dir)
#endif
);
geometry.uv = vPathPosition;
float isValid = step(instanceTypes, 3.5);
vec3 offset = vec3(offsetVec * width * isValid, 0.0);
#endif
if (needsRotation) {
offset = rotationMatrix * offset;
}
return offset;
}
void clipLine(inout vec4 position, vec4 refPosition) {
if (position.w < EPSILON) {
float r = (EPSILON - refPosition.w) / (position.w - refPosition.w);
position = refPosition + (position - refPosition) * r;
}
}
#ifdef DASH_ENABLED
vec2 getClippedPathRange(float startW, float endW) {
bool startClipped = startW < EPSILON;
bool endClipped = endW < EPSILON;
if (startClipped && endClipped) {
return vec2(0.0);
}
if (startClipped || endClipped) {
float intersection = clamp((EPSILON - startW) / (endW - startW), 0.0, 1.0);
return startClipped ? vec2(intersection, 1.0) : vec2(0.0, intersection);
}
return vec2(0.0, 1.0);
}
#endif
void main() {
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
vColor = vec4(instanceColors.rgb, instanceColors.a * layer.opacity);
float isEnd = positions.x;
vec3 prevPosition = mix(instanceLeftPositions, instanceStartPositions, isEnd);
vec3 prevPosition64Low = mix(instanceLeftPositions64Low, instanceStartPositions64Low, isEnd);
vec3 currPosition = mix(instanceStartPositions, instanceEndPositions, isEnd);
vec3 currPosition64Low = mix(instanceStartPositions64Low, instanceEndPositions64Low, isEnd);
vec3 nextPosition = mix(instanceEndPositions, instanceRightPositions, isEnd);
vec3 nextPosition64Low = mix(instanceEndPositions64Low, instanceRightPositions64Low, isEnd);
geometry.worldPosition = currPosition;
vec2 widthPixels = vec2(clamp(
project_size_to_pixel(instanceStrokeWidths * path.widthScale, path.widthUnits),
path.widthMinPixels, path.widthMaxPixels) / 2.0);
vec3 width;
if (path.billboard) {
#ifdef DASH_ENABLED
vec4 prevPositionCommon;
vec4 nextPositionCommon;
vec4 prevPositionScreen = project_position_to_clipspace(
prevPosition, prevPosition64Low, ZERO_OFFSET, prevPositionCommon
);
#else
vec4 prevPositionScreen = project_position_to_clipspace(
prevPosition, prevPosition64Low, ZERO_OFFSET
);
#endif
vec4 currPositionScreen = project_position_to_clipspace(currPosition, currPosition64Low, ZERO_OFFSET, geometry.position);
#ifdef DASH_ENABLED
vec4 nextPositionScreen = project_position_to_clipspace(
nextPosition, nextPosition64Low, ZERO_OFFSET, nextPositionCommon
);
#else
vec4 nextPositionScreen = project_position_to_clipspace(
nextPosition, nextPosition64Low, ZERO_OFFSET
);
#endif
#ifdef DASH_ENABLED
vec4 sourcePathStartScreen = mix(currPositionScreen, prevPositionScreen, isEnd);
vec4 sourcePathEndScreen = mix(nextPositionScreen, currPositionScreen, isEnd);
vec2 billboardPathRange = getClippedPathRange(
sourcePathStartScreen.w, sourcePathEndScreen.w
);
#endif
clipLine(prevPositionScreen, currPositionScreen);
clipLine(nextPositionScreen, currPositionScreen);
clipLine(currPositionScreen, mix(nextPositionScreen, prevPositionScreen, isEnd));
width = vec3(widthPixels, 0.0);
DECKGL_FILTER_SIZE(width, geometry);
#ifdef ANTIALIASING
vec2 coveragePadding = vec2(0.5 / project.devicePixelRatio);
float coverageScale = length(width.xy) > 0.0
? length(width.xy + coveragePadding) / length(width.xy)
: 1.0;
#endif
#ifdef DASH_ENABLED
vec3 currentDeltaCommon = isEnd > 0.0
? geometry.position.xyz - prevPositionCommon.xyz
: nextPositionCommon.xyz - geometry.position.xyz;
float billboardPathLength = width.x > 0.0
? length(currentDeltaCommon) * project.scale / (width.x * project.focalDistance)
: 0.0;
#endif
vec3 offset = getLineJoinOffset(
prevPositionScreen.xyz / prevPositionScreen.w,
currPositionScreen.xyz / currPositionScreen.w,
nextPositionScreen.xyz / nextPositionScreen.w,
project_pixel_size_to_clipspace(width.xy)
#ifdef DASH_ENABLED
,
billboardPathLength, billboardPathRange
#endif
#ifdef ANTIALIASING
,
coverageScale
#endif
);
#ifdef DASH_ENABLED
vPathBounds = billboardPathLength * billboardPathRange;
#endif
DECKGL_FILTER_GL_POSITION(currPositionScreen, geometry);
gl_Position = vec4(currPositionScreen.xyz + offset * currPositionScreen.w, currPositionScreen.w);
} else {
prevPosition = project_position(prevPosition, prevPosition64Low);
currPosition = project_position(currPosition, currPosition64Low);
nextPosition = project_position(nextPosition, nextPosition64Low);
width = vec3(project_pixel_size(widthPixels), 0.0);
DECKGL_FILTER_SIZE(width, geometry);
#ifdef ANTIALIASING
vec2 coveragePadding = project_pixel_size(vec2(0.5 / project.devicePixelRatio));
float coverageScale = length(width.xy) > 0.0
? length(width.xy + coveragePadding) / length(width.xy)
: 1.0;
#endif
vec3 offset = getLineJoinOffset(
prevPosition, currPosition, nextPosition, width.xy
#ifdef DASH_ENABLED
, 1.0, vec2(0.0, 1.0)
#endif
#ifdef ANTIALIASING
, coverageScale
#endif
);
#ifdef DASH_ENABLED
vPathBounds = vec2(0.0, vPathLength);
#endif
geometry.position = vec4(currPosition + offset, 1.0);
gl_Position = project_common_position_to_clipspace(geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
}
DECKGL_FILTER_COLOR(vColor, geometry);
}
`,TD=`#version 300 es
#define SHADER_NAME path-layer-fragment-shader
precision highp float;
in vec4 vColor;
in vec2 vCornerOffset;
in float vMiterLength;
in vec2 vPathPosition;
in float vPathLength;
in float vJointType;
#ifdef DASH_ENABLED
in vec2 vPathBounds;
#endif
out vec4 fragColor;
void main(void) {
geometry.uv = vPathPosition;
#ifdef ANTIALIASING
#ifdef DASH_ENABLED
bool isCorner = vPathPosition.y < vPathBounds.x || vPathPosition.y > vPathBounds.y;
#else
bool isCorner = vPathPosition.y < 0.0 || vPathPosition.y > vPathLength;
#endif
bool isRound = vJointType > 0.5;
float bodyCoord = abs(vPathPosition.x);
float cornerCoord = length(vCornerOffset);
float bodyPixels = (1.0 - bodyCoord) / max(fwidth(bodyCoord), 1e-6);
float cornerPixels = (1.0 - cornerCoord) / max(fwidth(cornerCoord), 1e-6);
#ifdef PATH_STYLE_OFFSET
float edgePixels = isRound && isCorner ? min(cornerPixels, bodyPixels) : bodyPixels;
#else
float edgePixels = isRound && isCorner ? cornerPixels : bodyPixels;
#endif
if (edgePixels <= -SMOOTH_EDGE_RADIUS) {
discard;
}
if (isCorner) {
if (!isRound && vMiterLength > path.miterLimit + 1.0) {
discard;
}
}
fragColor = vColor;
fragColor.a *= smoothedge(0.0, edgePixels);
#else
#ifdef DASH_ENABLED
if (vPathPosition.y < vPathBounds.x || vPathPosition.y > vPathBounds.y) {
#else
if (vPathPosition.y < 0.0 || vPathPosition.y > vPathLength) {
#endif
if (vJointType > 0.5 && length(vCornerOffset) > 1.0) {
discard;
}
if (vJointType < 0.5 && vMiterLength > path.miterLimit + 1.0) {
discard;
}
}
fragColor = vColor;
#endif
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`,ED=[0,0,0,255],DD={widthUnits:`meters`,widthScale:{type:`number`,min:0,value:1},widthMinPixels:{type:`number`,min:0,value:0},widthMaxPixels:{type:`number`,min:0,value:2**53-1},jointRounded:!1,capRounded:!1,miterLimit:{type:`number`,min:0,value:4},antialiasing:!1,billboard:!1,_pathType:null,getPath:{type:`accessor`,value:e=>e.path},getColor:{type:`accessor`,value:ED},getWidth:{type:`accessor`,value:1},rounded:{deprecatedFor:[`jointRounded`,`capRounded`]}},OD={enter:(e,t)=>t.length?t.subarray(t.length-e.length):e};function kD(e){if(e.isGeospatial)return null;let{unitsPerMeter:t}=e.distanceScales;return[t[0],t[1],t[2]]}function AD(e,t){return e===t||!!(e&&t&&e.length===t.length&&e.every((e,n)=>e===t[n]))}var jD=class extends mE{getShaders(){let{antialiasing:e}=this.props;return super.getShaders({vs:wD,fs:TD,source:CD,defines:e?{ANTIALIASING:1}:{},modules:[sm,Wd,ah,SD,...this.context.device.type===`webgpu`?[LE]:[]]})}get wrapLongitude(){return!1}getBounds(){return this.context.device.type===`webgpu`?null:this.getAttributeManager()?.getBounds([`vertexPositions`])}getPathProjectionScale(e){let t=this.props.coordinateSystem;if(!this.getAttributeManager()?.getAttributes().instanceDashOffsets)return null;if(e instanceof qh&&e.zoom>=12&&(t==="default"||t===`lnglat`||t===`cartesian`)){let n=om.getUniforms({viewport:e,coordinateSystem:t,coordinateOrigin:this.props.coordinateOrigin,autoWrapLongitude:this.wrapLongitude});return[e.projectionMode,n.coordinateOrigin[1],n.commonOrigin[1],...n.commonUnitsPerWorldUnit,...n.commonUnitsPerWorldUnit2,n.commonUnitsPerMeter[2]]}let n=kD(e);return n?[e.projectionMode,...n]:[e.projectionMode]}shouldUpdateState(e){let{viewport:t}=this.context;return super.shouldUpdateState(e)||this.state?.tessellationResolution!==t.resolution||!AD(this.state?.pathProjectionScale,this.getPathProjectionScale(t))}initializeState(){let e=this.context.device.type===`webgpu`;this.getAttributeManager().addInstanced({...e?{pathPositions:{size:24,type:`float32`,transition:!1,accessor:`getPath`,update:this.calculateWebGPUPositions,shaderAttributes:{instanceLeftPositions:{size:3,elementOffset:0},instanceStartPositions:{size:3,elementOffset:3},instanceEndPositions:{size:3,elementOffset:6},instanceRightPositions:{size:3,elementOffset:9},instanceLeftPositions64Low:{size:3,elementOffset:12},instanceStartPositions64Low:{size:3,elementOffset:15},instanceEndPositions64Low:{size:3,elementOffset:18},instanceRightPositions64Low:{size:3,elementOffset:21}},noAlloc:!0}}:{vertexPositions:{size:3,vertexOffset:1,type:`float64`,fp64:this.use64bitPositions(),transition:OD,accessor:`getPath`,update:this.calculatePositions,noAlloc:!0,shaderAttributes:{instanceLeftPositions:{vertexOffset:0},instanceStartPositions:{vertexOffset:1},instanceEndPositions:{vertexOffset:2},instanceRightPositions:{vertexOffset:3}}}},instanceTypes:{size:1,type:e?`float32`:`uint8`,update:this.calculateSegmentTypes,noAlloc:!0},instanceStrokeWidths:{size:1,accessor:`getWidth`,transition:!e&&OD,defaultValue:1,bufferGroup:`path-instance-data`},instanceColors:{size:this.props.colorFormat.length,type:`unorm8`,accessor:`getColor`,transition:!e&&OD,defaultValue:ED,bufferGroup:`path-instance-data`},rowIndexes:{size:1,type:`uint32`,accessor:(e,{index:t})=>e&&e.__source?e.__source.index:t,bufferGroup:`path-instance-data`}}),this.setState({pathTesselator:new vD({fp64:this.use64bitPositions(),isWebGPU:e}),tessellationResolution:this.context.viewport.resolution,pathProjectionScale:this.getPathProjectionScale(this.context.viewport)})}updateState(e){super.updateState(e);let{props:t,oldProps:n,changeFlags:r}=e,i=this.getAttributeManager(),{viewport:a}=this.context,o=this.state.tessellationResolution!==a.resolution,s=this.getPathProjectionScale(a),c=!AD(this.state.pathProjectionScale,s),l=r.updateTriggersChanged&&(r.updateTriggersChanged.all||r.updateTriggersChanged.getPath)||t._pathType!==n._pathType||t.positionFormat!==n.positionFormat||t.wrapLongitude!==n.wrapLongitude||o;if(r.dataChanged||l){let{pathTesselator:e}=this.state,n=t.data.attributes||{};e.updateGeometry({data:t.data,geometryBuffer:n.getPath,buffers:n,normalize:!t._pathType,loop:t._pathType===`loop`,getGeometry:t.getPath,positionFormat:t.positionFormat,wrapLongitude:t.wrapLongitude,resolution:a.resolution,dataChanged:l?void 0:r.dataChanged}),this.setState({numInstances:e.instanceCount,startIndices:e.vertexStarts,tessellationResolution:a.resolution,pathProjectionScale:s}),!r.dataChanged||l?i.invalidateAll():c&&i.invalidate(`instanceDashOffsets`)}else c&&(this.setState({pathProjectionScale:s}),i.invalidate(`instanceDashOffsets`));(r.extensionsChanged||t.antialiasing!==n.antialiasing)&&(this.state.model?.destroy(),this.state.model=this._getModel(),i.invalidateAll())}getPickingInfo(e){let t=super.getPickingInfo(e),{index:n}=t,r=this.props.data;return r[0]&&r[0].__source&&(t.object=r.find(e=>e.__source.index===n)),t}disablePickingIndex(e){let t=this.props.data;if(t[0]&&t[0].__source)for(let n=0;n<t.length;n++)t[n].__source.index===e&&this._disablePickingIndex(n);else super.disablePickingIndex(e)}draw({uniforms:e}){let{jointRounded:t,capRounded:n,billboard:r,miterLimit:i,widthUnits:a,widthScale:o,widthMinPixels:s,widthMaxPixels:c}=this.props,l=this.state.model,u={jointType:Number(t),capType:Number(n),billboard:r,widthUnits:zp[a],widthScale:o,miterLimit:i,widthMinPixels:s,widthMaxPixels:c};l.shaderInputs.setProps({path:u}),l.draw(this.context.renderPass)}_getModel(){let e=[0,1,2,1,4,2,1,3,4,3,5,4],t=[0,0,0,-1,0,1,1,-1,1,1,1,0];return new Bg(this.context.device,{...this.getShaders(),id:this.props.id,bufferLayout:this.getAttributeManager().getBufferLayouts(),geometry:new $h({topology:`triangle-list`,attributes:{indices:new Uint16Array(e),positions:{value:new Float32Array(t),size:2}}}),isInstanced:!0})}calculatePositions(e){let{pathTesselator:t}=this.state;e.startIndices=t.vertexStarts,e.value=t.get(`positions`)}calculateSegmentTypes(e){let{pathTesselator:t}=this.state;e.startIndices=t.vertexStarts,e.value=t.get(`segmentTypes`)}calculateWebGPUPositions(e){let{pathTesselator:t}=this.state,n=t.get(`positions`);if(!n){e.value=null;return}let r=t.instanceCount,i=new Float32Array(r*24),a=[-1,0,1,2];for(let e=0;e<r;e++){let t=e*24;for(let o=0;o<4;o++){let s=e+a[o],c=t+o*3;for(let e=0;e<3;e++){let t=s>=0&&s<r?n[s*3+e]:0,a=Math.fround(t);i[c+e]=a,i[c+e+12]=t-a}}}e.startIndices=t.vertexStarts,e.value=i}};jD.defaultProps=DD,jD.layerName=`PathLayer`;var MD=Oe(Te(((e,t)=>{t.exports=n,t.exports.default=n;function n(e,t,n){n||=2;var i=t&&t.length,o=i?t[0]*n:e.length,s=r(e,0,o,n,!0),c=[];if(!s||s.next===s.prev)return c;var l,d,f,p,m,h,g;if(i&&(s=u(e,t,s,n)),e.length>80*n){l=f=e[0],d=p=e[1];for(var _=n;_<o;_+=n)m=e[_],h=e[_+1],m<l&&(l=m),h<d&&(d=h),m>f&&(f=m),h>p&&(p=h);g=Math.max(f-l,p-d),g=g===0?0:32767/g}return a(s,c,n,l,d,g,0),c}function r(e,t,n,r,i){var a,o;if(i===te(e,t,n,r)>0)for(a=t;a<n;a+=r)o=A(a,e[a],e[a+1],o);else for(a=n-r;a>=t;a-=r)o=A(a,e[a],e[a+1],o);return o&&S(o,o.next)&&(j(o),o=o.next),o}function i(e,t){if(!e)return e;t||=e;var n=e,r;do if(r=!1,!n.steiner&&(S(n,n.next)||x(n.prev,n,n.next)===0)){if(j(n),n=t=n.prev,n===n.next)break;r=!0}else n=n.next;while(r||n!==t);return t}function a(e,t,n,r,u,d,f){if(e){!f&&d&&h(e,r,u,d);for(var p=e,m,g;e.prev!==e.next;)if(m=e.prev,g=e.next,d?s(e,r,u,d):o(e))t.push(m.i/n|0),t.push(e.i/n|0),t.push(g.i/n|0),j(e),e=g.next,p=g.next;else if(e=g,e===p){f?f===1?(e=c(i(e),t,n),a(e,t,n,r,u,d,2)):f===2&&l(e,t,n,r,u,d):a(i(e),t,n,r,u,d,1);break}}}function o(e){var t=e.prev,n=e,r=e.next;if(x(t,n,r)>=0)return!1;for(var i=t.x,a=n.x,o=r.x,s=t.y,c=n.y,l=r.y,u=i<a?i<o?i:o:a<o?a:o,d=s<c?s<l?s:l:c<l?c:l,f=i>a?i>o?i:o:a>o?a:o,p=s>c?s>l?s:l:c>l?c:l,m=r.next;m!==t;){if(m.x>=u&&m.x<=f&&m.y>=d&&m.y<=p&&y(i,s,a,c,o,l,m.x,m.y)&&x(m.prev,m,m.next)>=0)return!1;m=m.next}return!0}function s(e,t,n,r){var i=e.prev,a=e,o=e.next;if(x(i,a,o)>=0)return!1;for(var s=i.x,c=a.x,l=o.x,u=i.y,d=a.y,f=o.y,p=s<c?s<l?s:l:c<l?c:l,m=u<d?u<f?u:f:d<f?d:f,h=s>c?s>l?s:l:c>l?c:l,g=u>d?u>f?u:f:d>f?d:f,v=_(p,m,t,n,r),b=_(h,g,t,n,r),S=e.prevZ,C=e.nextZ;S&&S.z>=v&&C&&C.z<=b;){if(S.x>=p&&S.x<=h&&S.y>=m&&S.y<=g&&S!==i&&S!==o&&y(s,u,c,d,l,f,S.x,S.y)&&x(S.prev,S,S.next)>=0||(S=S.prevZ,C.x>=p&&C.x<=h&&C.y>=m&&C.y<=g&&C!==i&&C!==o&&y(s,u,c,d,l,f,C.x,C.y)&&x(C.prev,C,C.next)>=0))return!1;C=C.nextZ}for(;S&&S.z>=v;){if(S.x>=p&&S.x<=h&&S.y>=m&&S.y<=g&&S!==i&&S!==o&&y(s,u,c,d,l,f,S.x,S.y)&&x(S.prev,S,S.next)>=0)return!1;S=S.prevZ}for(;C&&C.z<=b;){if(C.x>=p&&C.x<=h&&C.y>=m&&C.y<=g&&C!==i&&C!==o&&y(s,u,c,d,l,f,C.x,C.y)&&x(C.prev,C,C.next)>=0)return!1;C=C.nextZ}return!0}function c(e,t,n){var r=e;do{var a=r.prev,o=r.next.next;!S(a,o)&&C(a,r,r.next,o)&&D(a,o)&&D(o,a)&&(t.push(a.i/n|0),t.push(r.i/n|0),t.push(o.i/n|0),j(r),j(r.next),r=e=o),r=r.next}while(r!==e);return i(r)}function l(e,t,n,r,o,s){var c=e;do{for(var l=c.next.next;l!==c.prev;){if(c.i!==l.i&&b(c,l)){var u=k(c,l);c=i(c,c.next),u=i(u,u.next),a(c,t,n,r,o,s,0),a(u,t,n,r,o,s,0);return}l=l.next}c=c.next}while(c!==e)}function u(e,t,n,i){for(var a=[],o=0,s=t.length,c,l,u;o<s;o++)c=t[o]*i,l=o<s-1?t[o+1]*i:e.length,u=r(e,c,l,i,!1),u===u.next&&(u.steiner=!0),a.push(v(u));for(a.sort(d),o=0;o<a.length;o++)n=f(a[o],n);return n}function d(e,t){return e.x-t.x}function f(e,t){var n=p(e,t);if(!n)return t;var r=k(n,e);return i(r,r.next),i(n,n.next)}function p(e,t){var n=t,r=e.x,i=e.y,a=-1/0,o;do{if(i<=n.y&&i>=n.next.y&&n.next.y!==n.y){var s=n.x+(i-n.y)*(n.next.x-n.x)/(n.next.y-n.y);if(s<=r&&s>a&&(a=s,o=n.x<n.next.x?n:n.next,s===r))return o}n=n.next}while(n!==t);if(!o)return null;var c=o,l=o.x,u=o.y,d=1/0,f;n=o;do r>=n.x&&n.x>=l&&r!==n.x&&y(i<u?r:a,i,l,u,i<u?a:r,i,n.x,n.y)&&(f=Math.abs(i-n.y)/(r-n.x),D(n,e)&&(f<d||f===d&&(n.x>o.x||n.x===o.x&&m(o,n)))&&(o=n,d=f)),n=n.next;while(n!==c);return o}function m(e,t){return x(e.prev,e,t.prev)<0&&x(t.next,e,e.next)<0}function h(e,t,n,r){var i=e;do i.z===0&&(i.z=_(i.x,i.y,t,n,r)),i.prevZ=i.prev,i.nextZ=i.next,i=i.next;while(i!==e);i.prevZ.nextZ=null,i.prevZ=null,g(i)}function g(e){var t,n,r,i,a,o,s,c,l=1;do{for(n=e,e=null,a=null,o=0;n;){for(o++,r=n,s=0,t=0;t<l&&(s++,r=r.nextZ,r);t++);for(c=l;s>0||c>0&&r;)s!==0&&(c===0||!r||n.z<=r.z)?(i=n,n=n.nextZ,s--):(i=r,r=r.nextZ,c--),a?a.nextZ=i:e=i,i.prevZ=a,a=i;n=r}a.nextZ=null,l*=2}while(o>1);return e}function _(e,t,n,r,i){return e=(e-n)*i|0,t=(t-r)*i|0,e=(e|e<<8)&16711935,e=(e|e<<4)&252645135,e=(e|e<<2)&858993459,e=(e|e<<1)&1431655765,t=(t|t<<8)&16711935,t=(t|t<<4)&252645135,t=(t|t<<2)&858993459,t=(t|t<<1)&1431655765,e|t<<1}function v(e){var t=e,n=e;do(t.x<n.x||t.x===n.x&&t.y<n.y)&&(n=t),t=t.next;while(t!==e);return n}function y(e,t,n,r,i,a,o,s){return(i-o)*(t-s)>=(e-o)*(a-s)&&(e-o)*(r-s)>=(n-o)*(t-s)&&(n-o)*(a-s)>=(i-o)*(r-s)}function b(e,t){return e.next.i!==t.i&&e.prev.i!==t.i&&!E(e,t)&&(D(e,t)&&D(t,e)&&O(e,t)&&(x(e.prev,e,t.prev)||x(e,t.prev,t))||S(e,t)&&x(e.prev,e,e.next)>0&&x(t.prev,t,t.next)>0)}function x(e,t,n){return(t.y-e.y)*(n.x-t.x)-(t.x-e.x)*(n.y-t.y)}function S(e,t){return e.x===t.x&&e.y===t.y}function C(e,t,n,r){var i=T(x(e,t,n)),a=T(x(e,t,r)),o=T(x(n,r,e)),s=T(x(n,r,t));return!!(i!==a&&o!==s||i===0&&w(e,n,t)||a===0&&w(e,r,t)||o===0&&w(n,e,r)||s===0&&w(n,t,r))}function w(e,t,n){return t.x<=Math.max(e.x,n.x)&&t.x>=Math.min(e.x,n.x)&&t.y<=Math.max(e.y,n.y)&&t.y>=Math.min(e.y,n.y)}function T(e){return e>0?1:e<0?-1:0}function E(e,t){var n=e;do{if(n.i!==e.i&&n.next.i!==e.i&&n.i!==t.i&&n.next.i!==t.i&&C(n,n.next,e,t))return!0;n=n.next}while(n!==e);return!1}function D(e,t){return x(e.prev,e,e.next)<0?x(e,t,e.next)>=0&&x(e,e.prev,t)>=0:x(e,t,e.prev)<0||x(e,e.next,t)<0}function O(e,t){var n=e,r=!1,i=(e.x+t.x)/2,a=(e.y+t.y)/2;do n.y>a!=n.next.y>a&&n.next.y!==n.y&&i<(n.next.x-n.x)*(a-n.y)/(n.next.y-n.y)+n.x&&(r=!r),n=n.next;while(n!==e);return r}function k(e,t){var n=new ee(e.i,e.x,e.y),r=new ee(t.i,t.x,t.y),i=e.next,a=t.prev;return e.next=t,t.prev=e,n.next=i,i.prev=n,r.next=n,n.prev=r,a.next=r,r.prev=a,r}function A(e,t,n,r){var i=new ee(e,t,n);return r?(i.next=r.next,i.prev=r,r.next.prev=i,r.next=i):(i.prev=i,i.next=i),i}function j(e){e.next.prev=e.prev,e.prev.next=e.next,e.prevZ&&(e.prevZ.nextZ=e.nextZ),e.nextZ&&(e.nextZ.prevZ=e.prevZ)}function ee(e,t,n){this.i=e,this.x=t,this.y=n,this.prev=null,this.next=null,this.z=0,this.prevZ=null,this.nextZ=null,this.steiner=!1}n.deviation=function(e,t,n,r){var i=t&&t.length,a=i?t[0]*n:e.length,o=Math.abs(te(e,0,a,n));if(i)for(var s=0,c=t.length;s<c;s++){var l=t[s]*n,u=s<c-1?t[s+1]*n:e.length;o-=Math.abs(te(e,l,u,n))}var d=0;for(s=0;s<r.length;s+=3){var f=r[s]*n,p=r[s+1]*n,m=r[s+2]*n;d+=Math.abs((e[f]-e[m])*(e[p+1]-e[f+1])-(e[f]-e[p])*(e[m+1]-e[f+1]))}return o===0&&d===0?0:Math.abs((d-o)/o)};function te(e,t,n,r){for(var i=0,a=t,o=n-r;a<n;a+=r)i+=(e[o]-e[a])*(e[a+1]+e[o+1]),o=a;return i}n.flatten=function(e){for(var t=e[0][0].length,n={vertices:[],holes:[],dimensions:t},r=0,i=0;i<e.length;i++){for(var a=0;a<e[i].length;a++)for(var o=0;o<t;o++)n.vertices.push(e[i][a][o]);i>0&&(r+=e[i-1].length,n.holes.push(r))}return n}}))(),1),ND=VE.CLOCKWISE,PD=VE.COUNTER_CLOCKWISE,FD={isClosed:!0};function ID(e){if(e=e&&e.positions||e,!Array.isArray(e)&&!ArrayBuffer.isView(e))throw Error(`invalid polygon`)}function LD(e){return`positions`in e?e.positions:e}function RD(e){return`holeIndices`in e?e.holeIndices:null}function zD(e){return Array.isArray(e[0])}function BD(e){return e.length>=1&&e[0].length>=2&&Number.isFinite(e[0][0])}function VD(e){let t=e[0],n=e[e.length-1];return t[0]===n[0]&&t[1]===n[1]&&t[2]===n[2]}function HD(e,t,n,r){for(let i=0;i<t;i++)if(e[n+i]!==e[r-t+i])return!1;return!0}function UD(e,t,n,r,i){let a=t,o=n.length;for(let t=0;t<o;t++)for(let i=0;i<r;i++)e[a++]=n[t][i]||0;if(!VD(n))for(let t=0;t<r;t++)e[a++]=n[0][t]||0;return FD.start=t,FD.end=a,FD.size=r,HE(e,i,FD),a}function WD(e,t,n,r,i=0,a,o){a||=n.length;let s=a-i;if(s<=0)return t;let c=t;for(let t=0;t<s;t++)e[c++]=n[i+t];if(!HD(n,r,i,a))for(let t=0;t<r;t++)e[c++]=n[i+t];return FD.start=t,FD.end=c,FD.size=r,HE(e,o,FD),c}function GD(e,t){ID(e);let n=[],r=[];if(`positions`in e){let{positions:i,holeIndices:a}=e;if(a){let e=0;for(let o=0;o<=a.length;o++)e=WD(n,e,i,t,a[o-1],a[o],o===0?ND:PD),r.push(e);return r.pop(),{positions:n,holeIndices:r}}e=i}if(!zD(e))return WD(n,0,e,t,0,n.length,ND),n;if(!BD(e)){let i=0;for(let[a,o]of e.entries())i=UD(n,i,o,t,a===0?ND:PD),r.push(i);return r.pop(),{positions:n,holeIndices:r}}return UD(n,0,e,t,ND),n}function KD(e,t,n){let r=e.length/3,i=0;for(let a=0;a<r;a++){let o=(a+1)%r;i+=e[a*3+t]*e[o*3+n],i-=e[o*3+t]*e[a*3+n]}return Math.abs(i/2)}function qD(e,t,n,r){let i=e.length/3;for(let a=0;a<i;a++){let i=a*3,o=e[i+0],s=e[i+1],c=e[i+2];e[i+t]=o,e[i+n]=s,e[i+r]=c}}function JD(e,t,n,r){let i=RD(e);i&&=i.map(e=>e/t);let a=LD(e),o=r&&t===3;if(n){let e=a.length;a=a.slice();let r=[];for(let i=0;i<e;i+=t){r[0]=a[i],r[1]=a[i+1],o&&(r[2]=a[i+2]);let e=n(r);a[i]=e[0],a[i+1]=e[1],o&&(a[i+2]=e[2])}}if(o){let e=KD(a,0,1),t=KD(a,0,2),r=KD(a,1,2);if(!e&&!t&&!r)return[];e>t&&e>r||(t>r?(n||(a=a.slice()),qD(a,0,2,1)):(n||(a=a.slice()),qD(a,2,0,1)))}return(0,MD.default)(a,i,t)}var YD=class extends OE{constructor(e){let{fp64:t,IndexType:n=Uint32Array}=e;super({...e,attributes:{positions:{size:3,type:t?Float64Array:Float32Array},vertexValid:{type:Uint16Array,size:1},indices:{type:n,size:1}}})}get(e){let{attributes:t}=this;return e===`indices`?t.indices&&t.indices.subarray(0,this.vertexCount):t[e]}updateGeometry(e){super.updateGeometry(e);let t=this.buffers.indices;if(t)this.vertexCount=(t.value||t).length;else if(this.data&&!this.getGeometry)throw Error(`missing indices buffer`)}normalizeGeometry(e){if(this.normalize){let t=GD(e,this.positionSize);return this.opts.resolution?tD(LD(t),RD(t),{size:this.positionSize,gridResolution:this.opts.resolution,edgeTypes:!0}):this.opts.wrapLongitude?lD(LD(t),RD(t),{size:this.positionSize,maxLatitude:86,edgeTypes:!0}):t}return e}getGeometrySize(e){if(XD(e)){let t=0;for(let n of e)t+=this.getGeometrySize(n);return t}return LD(e).length/this.positionSize}getGeometryFromBuffer(e){return this.normalize||!this.buffers.indices?super.getGeometryFromBuffer(e):null}updateGeometryAttributes(e,t){if(e&&XD(e))for(let n of e){let e=this.getGeometrySize(n);t.geometrySize=e,this.updateGeometryAttributes(n,t),t.vertexStart+=e,t.indexStart=this.indexStarts[t.geometryIndex+1]}else{let n=e;this._updateIndices(n,t),this._updatePositions(n,t),this._updateVertexValid(n,t)}}_updateIndices(e,{geometryIndex:t,vertexStart:n,indexStart:r}){let{attributes:i,indexStarts:a,typedArrayManager:o}=this,s=i.indices;if(!s||!e)return;let c=r,l=JD(e,this.positionSize,this.opts.preproject,this.opts.full3d);s=o.allocate(s,r+l.length,{copy:!0});for(let e=0;e<l.length;e++)s[c++]=l[e]+n;a[t+1]=r+l.length,i.indices=s}_updatePositions(e,{vertexStart:t,geometrySize:n}){let{attributes:{positions:r},positionSize:i}=this;if(!r||!e)return;let a=LD(e);for(let e=t,o=0;o<n;e++,o++){let t=a[o*i],n=a[o*i+1],s=i>2?a[o*i+2]:0;r[e*3]=t,r[e*3+1]=n,r[e*3+2]=s}}_updateVertexValid(e,{vertexStart:t,geometrySize:n}){let{positionSize:r}=this,i=this.attributes.vertexValid,a=e&&RD(e);if(e&&e.edgeTypes?i.set(e.edgeTypes,t):i.fill(1,t,t+n),a)for(let e=0;e<a.length;e++)i[t+a[e]/r-1]=0;i[t+n-1]=0}};function XD(e){return Array.isArray(e)&&e.length>0&&!Number.isFinite(e[0])}var ZD=`struct SolidPolygonUniforms {
  extruded: f32,
  isWireframe: f32,
  elevationScale: f32,
};

@group(0) @binding(auto) var<uniform> solidPolygon: SolidPolygonUniforms;
`,QD=`layout(std140) uniform solidPolygonUniforms {
  bool extruded;
  bool isWireframe;
  float elevationScale;
} solidPolygon;
`,$D={name:`solidPolygon`,source:ZD,vs:QD,fs:QD,uniformTypes:{extruded:`f32`,isWireframe:`f32`,elevationScale:`f32`}},eO=`in vec4 fillColors;
in vec4 lineColors;
in float rowIndexes;
out vec4 vColor;
struct PolygonProps {
vec3 positions;
vec3 positions64Low;
vec3 normal;
float elevations;
};
vec3 project_offset_normal(vec3 vector) {
if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT_OFFSETS) {
return normalize(vector * project.commonUnitsPerWorldUnit);
}
return project_normal(vector);
}
void calculatePosition(PolygonProps props) {
vec3 pos = props.positions;
vec3 pos64Low = props.positions64Low;
vec3 normal = props.normal;
vec4 colors = solidPolygon.isWireframe ? lineColors : fillColors;
geometry.worldPosition = props.positions;
geometry.pickingColor = picking_getPickingColorFromIndex(rowIndexes);
if (solidPolygon.extruded) {
pos.z += props.elevations * solidPolygon.elevationScale;
}
gl_Position = project_position_to_clipspace(pos, pos64Low, vec3(0.), geometry.position);
DECKGL_FILTER_GL_POSITION(gl_Position, geometry);
if (solidPolygon.extruded) {
#ifdef IS_SIDE_VERTEX
normal = project_offset_normal(normal);
#else
normal = project_normal(normal);
#endif
geometry.normal = normal;
vec3 lightColor = lighting_getLightColor(colors.rgb, project.cameraPosition, geometry.position.xyz, geometry.normal);
vColor = vec4(lightColor, colors.a * layer.opacity);
} else {
vColor = vec4(colors.rgb, colors.a * layer.opacity);
}
DECKGL_FILTER_COLOR(vColor, geometry);
}
`,tO=`\
#version 300 es
#define SHADER_NAME solid-polygon-layer-vertex-shader
in vec3 vertexPositions;
in vec3 vertexPositions64Low;
in float elevations;
${eO}
void main(void) {
PolygonProps props;
props.positions = vertexPositions;
props.positions64Low = vertexPositions64Low;
props.elevations = elevations;
props.normal = vec3(0.0, 0.0, 1.0);
calculatePosition(props);
}
`,nO=`\
#version 300 es
#define SHADER_NAME solid-polygon-layer-vertex-shader-side
#define IS_SIDE_VERTEX
in vec2 positions;
in vec3 vertexPositions;
in vec3 nextVertexPositions;
in vec3 vertexPositions64Low;
in vec3 nextVertexPositions64Low;
in float elevations;
in float instanceVertexValid;
${eO}
void main(void) {
if(instanceVertexValid < 0.5){
gl_Position = vec4(0.);
return;
}
PolygonProps props;
vec3 pos;
vec3 pos64Low;
vec3 nextPos;
vec3 nextPos64Low;
#if RING_WINDING_ORDER_CW == 1
pos = vertexPositions;
pos64Low = vertexPositions64Low;
nextPos = nextVertexPositions;
nextPos64Low = nextVertexPositions64Low;
#else
pos = nextVertexPositions;
pos64Low = nextVertexPositions64Low;
nextPos = vertexPositions;
nextPos64Low = vertexPositions64Low;
#endif
props.positions = mix(pos, nextPos, positions.x);
props.positions64Low = mix(pos64Low, nextPos64Low, positions.x);
props.normal = vec3(
pos.y - nextPos.y + (pos64Low.y - nextPos64Low.y),
nextPos.x - pos.x + (nextPos64Low.x - pos64Low.x),
0.0);
props.elevations = elevations * positions.y;
calculatePosition(props);
}
`,rO=`#version 300 es
#define SHADER_NAME solid-polygon-layer-fragment-shader
precision highp float;
in vec4 vColor;
out vec4 fragColor;
void main(void) {
fragColor = vColor;
geometry.uv = vec2(0.);
DECKGL_FILTER_COLOR(fragColor, geometry);
}
`;function iO(){return`fn project_offset_normal(vector: vec3<f32>) -> vec3<f32> {
  if (project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT ||
      project.coordinateSystem == COORDINATE_SYSTEM_LNGLAT_OFFSETS) {
    return normalize(vector * project.commonUnitsPerWorldUnit);
  }
  return project_normal(vector);
}

fn apply_polygon_color(
  colors: vec4<f32>,
  normal: vec3<f32>,
  position: vec4<f32>
) -> vec4<f32> {
  if (solidPolygon.extruded > 0.5) {
    let lightColor = lighting_getLightColor2(
      colors.rgb,
      project.cameraPosition,
      position.xyz,
      normal
    );
    return vec4<f32>(lightColor, colors.a * layer.opacity);
  }
  return vec4<f32>(colors.rgb, colors.a * layer.opacity);
}
`}function aO(){return`@fragment
fn fragmentMain(inp: Varyings) -> @location(0) vec4<f32> {
  geometry.uv = vec2<f32>(0.0, 0.0);

  clip_filterColor(inp.clipCoordinates);

  if (picking.isActive > 0.5) {
    if (!picking_isColorValid(inp.pickingColor)) {
      discard;
    }
    return vec4<f32>(inp.pickingColor, 1.0);
  }

  var fragColor = inp.vColor;

  if (picking.isHighlightActive > 0.5) {
    let highlightedObjectColor = picking_normalizeColor(picking.highlightedObjectColor);
    if (picking_isColorZero(abs(inp.pickingColor - highlightedObjectColor))) {
      let highLightAlpha = picking.highlightColor.a;
      let blendedAlpha = highLightAlpha + fragColor.a * (1.0 - highLightAlpha);
      if (blendedAlpha > 0.0) {
        let highLightRatio = highLightAlpha / blendedAlpha;
        fragColor = vec4<f32>(
          mix(fragColor.rgb, picking.highlightColor.rgb, highLightRatio),
          blendedAlpha
        );
      } else {
        fragColor = vec4<f32>(fragColor.rgb, 0.0);
      }
    }
  }

  return deckgl_premultiplied_alpha(fragColor);
}
`}function oO(){return`\
${iO()}

struct Attributes {
  @location(0) vertexPositions: vec3<f32>,
  @location(1) vertexPositions64Low: vec3<f32>,
  @location(2) elevations: f32,
  @location(3) fillColors: vec4<f32>,
  @location(4) lineColors: vec4<f32>,
  @location(5) rowIndexes: u32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) pickingColor: vec3<f32>,
  @location(2) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var outp: Varyings;

  var pos = attributes.vertexPositions;
  if (solidPolygon.extruded > 0.5) {
    pos.z += attributes.elevations * solidPolygon.elevationScale;
  }

  geometry.worldPosition = attributes.vertexPositions;
  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);

  let projectedPosition = project_position_to_clipspace_and_commonspace(
    pos,
    attributes.vertexPositions64Low,
    vec3<f32>(0.0)
  );
  geometry.position = projectedPosition.commonPosition;
  outp.position = projectedPosition.clipPosition;

  let normal = project_normal(vec3<f32>(0.0, 0.0, 1.0));
  geometry.normal = normal;

  let colors = select(
    attributes.fillColors,
    attributes.lineColors,
    solidPolygon.isWireframe > 0.5
  );
  outp.vColor = apply_polygon_color(colors, normal, geometry.position);
  outp.pickingColor = geometry.pickingColor;

  outp.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&outp.position, geometry.worldPosition.xy);

  return outp;
}

${aO()}
`}function sO(e){return`\
const RING_WINDING_ORDER_CW: bool = ${e?`true`:`false`};

${iO()}

struct Attributes {
  @location(0) positions: vec2<f32>,
  @location(1) vertexPositions: vec3<f32>,
  @location(2) vertexPositions64Low: vec3<f32>,
  @location(3) nextVertexPositions: vec3<f32>,
  @location(4) nextVertexPositions64Low: vec3<f32>,
  @location(5) vertexValid: f32,
  @location(6) elevations: f32,
  @location(7) fillColors: vec4<f32>,
  @location(8) lineColors: vec4<f32>,
  @location(9) rowIndexes: u32,
};

struct Varyings {
  @builtin(position) position: vec4<f32>,
  @location(0) vColor: vec4<f32>,
  @location(1) pickingColor: vec3<f32>,
  @location(2) clipCoordinates: vec2<f32>,
};

@vertex
fn vertexMain(attributes: Attributes) -> Varyings {
  var outp: Varyings;
  outp.position = vec4<f32>(0.0);
  outp.vColor = vec4<f32>(0.0);
  outp.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);
  outp.clipCoordinates = vec2<f32>(0.0);

  if (attributes.vertexValid < 0.5) {
    return outp;
  }

  let pos = select(attributes.nextVertexPositions, attributes.vertexPositions, RING_WINDING_ORDER_CW);
  let pos64Low = select(
    attributes.nextVertexPositions64Low,
    attributes.vertexPositions64Low,
    RING_WINDING_ORDER_CW
  );
  let nextPos = select(attributes.vertexPositions, attributes.nextVertexPositions, RING_WINDING_ORDER_CW);
  let nextPos64Low = select(
    attributes.vertexPositions64Low,
    attributes.nextVertexPositions64Low,
    RING_WINDING_ORDER_CW
  );

  let position = mix(pos, nextPos, attributes.positions.x);
  let position64Low = mix(pos64Low, nextPos64Low, attributes.positions.x);

  var worldPosition = position;
  if (solidPolygon.extruded > 0.5) {
    worldPosition.z += attributes.elevations * attributes.positions.y * solidPolygon.elevationScale;
  }

  geometry.worldPosition = position;
  geometry.pickingColor = picking_getPickingColorFromIndex(attributes.rowIndexes);

  let projectedPosition = project_position_to_clipspace_and_commonspace(
    worldPosition,
    position64Low,
    vec3<f32>(0.0)
  );
  geometry.position = projectedPosition.commonPosition;
  outp.position = projectedPosition.clipPosition;

  let normal = project_offset_normal(vec3<f32>(
    pos.y - nextPos.y + (pos64Low.y - nextPos64Low.y),
    nextPos.x - pos.x + (nextPos64Low.x - pos64Low.x),
    0.0
  ));
  geometry.normal = normal;

  let colors = select(
    attributes.fillColors,
    attributes.lineColors,
    solidPolygon.isWireframe > 0.5
  );
  outp.vColor = apply_polygon_color(colors, normal, geometry.position);
  outp.pickingColor = geometry.pickingColor;

  outp.clipCoordinates = geometry.position.xy;
  clip_filterPosition(&outp.position, geometry.worldPosition.xy);

  return outp;
}

${aO()}
`}function cO(e,t){return e===`top`?oO():sO(t)}var lO=[0,0,0,255],uO={filled:!0,extruded:!1,wireframe:!1,_normalize:!0,_windingOrder:`CW`,_full3d:!1,elevationScale:{type:`number`,min:0,value:1},getPolygon:{type:`accessor`,value:e=>e.polygon},getElevation:{type:`accessor`,value:1e3},getFillColor:{type:`accessor`,value:lO},getLineColor:{type:`accessor`,value:lO},material:!0},dO={enter:(e,t)=>t.length?t.subarray(t.length-e.length):e},fO=class extends mE{getShaders(e){let t=!this.props._normalize&&this.props._windingOrder===`CCW`?0:1;return super.getShaders({vs:e===`top`?tO:nO,fs:rO,source:cO(e,!!t),defines:{RING_WINDING_ORDER_CW:t},modules:[sm,Wd,Bd,ah,$D,...this.context.device.type===`webgpu`?[LE]:[]]})}get wrapLongitude(){return!1}getBounds(){return this.getAttributeManager()?.getBounds([`vertexPositions`])}initializeState(){let{viewport:e}=this.context,{coordinateSystem:t}=this.props,{_full3d:n}=this.props;e.isGeospatial&&t==="default"&&(t=`lnglat`);let r;t===`lnglat`&&(r=n?e.projectPosition.bind(e):e.projectFlat.bind(e)),this.setState({numInstances:0,polygonTesselator:new YD({preproject:r,fp64:this.use64bitPositions(),IndexType:Uint32Array})});let i=this.getAttributeManager(),a=this.context.device.type===`webgpu`;i.add({indices:{size:1,isIndexed:!0,update:this.calculateIndices,noAlloc:!0},vertexPositions:{size:3,type:`float64`,stepMode:`dynamic`,fp64:this.use64bitPositions(),transition:dO,accessor:`getPolygon`,update:this.calculatePositions,noAlloc:!0,...a?{}:{shaderAttributes:{nextVertexPositions:{vertexOffset:1}}}},...a?{nextVertexPositions:{size:3,type:`float64`,stepMode:`dynamic`,fp64:this.use64bitPositions(),transition:!1,update:this.calculateNextPositions,noAlloc:!0}}:{},[a?`vertexValid`:`instanceVertexValid`]:{size:1,type:a?`float32`:`uint16`,stepMode:`instance`,update:this.calculateVertexValid,noAlloc:!0},elevations:{size:1,stepMode:`dynamic`,transition:dO,accessor:`getElevation`,bufferGroup:`solid-polygon-instance-data`},fillColors:{size:this.props.colorFormat.length,type:`unorm8`,stepMode:`dynamic`,transition:dO,accessor:`getFillColor`,defaultValue:lO,bufferGroup:`solid-polygon-instance-data`},lineColors:{size:this.props.colorFormat.length,type:`unorm8`,stepMode:`dynamic`,transition:dO,accessor:`getLineColor`,defaultValue:lO,bufferGroup:`solid-polygon-instance-data`},rowIndexes:{size:1,type:`uint32`,stepMode:`dynamic`,accessor:(e,{index:t})=>e&&e.__source?e.__source.index:t,bufferGroup:`solid-polygon-instance-data`}})}getPickingInfo(e){let t=super.getPickingInfo(e),{index:n}=t,r=this.props.data;return r[0]&&r[0].__source&&(t.object=r.find(e=>e.__source.index===n)),t}disablePickingIndex(e){let t=this.props.data;if(t[0]&&t[0].__source)for(let n=0;n<t.length;n++)t[n].__source.index===e&&this._disablePickingIndex(n);else super.disablePickingIndex(e)}draw({uniforms:e}){let{extruded:t,filled:n,wireframe:r,elevationScale:i}=this.props,{topModel:a,sideModel:o,wireframeModel:s,polygonTesselator:c}=this.state,l={extruded:!!t,elevationScale:i,isWireframe:!1};s&&r&&(s.setInstanceCount(c.instanceCount-1),s.shaderInputs.setProps({solidPolygon:{...l,isWireframe:!0}}),s.draw(this.context.renderPass)),o&&n&&(o.setInstanceCount(c.instanceCount-1),o.shaderInputs.setProps({solidPolygon:l}),o.draw(this.context.renderPass)),a&&n&&(a.setVertexCount(c.vertexCount),a.shaderInputs.setProps({solidPolygon:l}),a.draw(this.context.renderPass))}updateState(e){super.updateState(e),this.updateGeometry(e);let{props:t,oldProps:n,changeFlags:r}=e,i=this.getAttributeManager();(r.extensionsChanged||t.filled!==n.filled||t.extruded!==n.extruded)&&(this.state.models?.forEach(e=>e.destroy()),this.setState(this._getModels()),i.invalidateAll())}updateGeometry({props:e,oldProps:t,changeFlags:n}){if(n.dataChanged||n.updateTriggersChanged&&(n.updateTriggersChanged.all||n.updateTriggersChanged.getPolygon)){let{polygonTesselator:t}=this.state,r=e.data.attributes||{};t.updateGeometry({data:e.data,normalize:e._normalize,geometryBuffer:r.getPolygon,buffers:this.context.device.type===`webgpu`?{...r}:r,getGeometry:e.getPolygon,positionFormat:e.positionFormat,wrapLongitude:e.wrapLongitude,resolution:this.context.viewport.resolution,fp64:this.use64bitPositions(),dataChanged:n.dataChanged,full3d:e._full3d}),this.setState({numInstances:t.instanceCount,startIndices:t.vertexStarts}),n.dataChanged||this.getAttributeManager().invalidateAll()}}_getModels(){let{id:e,filled:t,extruded:n}=this.props,r,i,a;if(t){let t=this.getShaders(`top`);t.defines={...t.defines,NON_INSTANCED_MODEL:1};let n=this.getAttributeManager().getBufferLayouts({isInstanced:!1});this.context.device.type===`webgpu`&&(n=n.filter(e=>e.name!==`indices`&&e.name!==`vertexValid`&&e.name!==`instanceVertexValid`&&e.name!==`nextVertexPositions`)),r=new Bg(this.context.device,{...t,id:`${e}-top`,topology:`triangle-list`,bufferLayout:n,isIndexed:!0,userData:{excludeAttributes:{vertexValid:!0,instanceVertexValid:!0,nextVertexPositions:!0}}})}if(n){let t=this.getAttributeManager().getBufferLayouts({isInstanced:!0});this.context.device.type===`webgpu`&&(t=t.filter(e=>e.name!==`indices`)),i=new Bg(this.context.device,{...this.getShaders(`side`),id:`${e}-side`,bufferLayout:t,geometry:new $h({topology:`triangle-strip`,attributes:{positions:{size:2,value:new Float32Array([1,0,0,0,1,1,0,1])}}}),isInstanced:!0,userData:{excludeAttributes:{indices:!0}}}),a=new Bg(this.context.device,{...this.getShaders(`side`),id:`${e}-wireframe`,bufferLayout:t,geometry:new $h({topology:`line-strip`,attributes:{positions:{size:2,value:new Float32Array([1,0,0,0,0,1,1,1])}}}),isInstanced:!0,userData:{excludeAttributes:{indices:!0}}})}return{models:[i,a,r].filter(Boolean),topModel:r,sideModel:i,wireframeModel:a}}calculateIndices(e){let{polygonTesselator:t}=this.state;e.startIndices=t.indexStarts,e.value=t.get(`indices`)}calculatePositions(e){let{polygonTesselator:t}=this.state;e.startIndices=t.vertexStarts;let n=this.props.data.attributes?.getPolygon;if(this.context.device.type===`webgpu`&&ArrayBuffer.isView(n?.value)){let{value:r,size:i=3,offset:a=0,stride:o}=n,s=a/r.BYTES_PER_ELEMENT,c=o?o/r.BYTES_PER_ELEMENT:i,l=new Float64Array(t.instanceCount*3);for(let e=0;e<t.instanceCount;e++){let t=s+e*c,n=e*3;l[n]=r[t],l[n+1]=r[t+1],l[n+2]=i>2?r[t+2]:0}e.value=l}else e.value=t.get(`positions`)}calculateVertexValid(e){let t=this.props.data.attributes?.instanceVertexValid?.value,n=this.context.device.type===`webgpu`&&t?t:this.state.polygonTesselator.get(`vertexValid`);e.value=this.context.device.type===`webgpu`&&n?Float32Array.from(n):n}calculateNextPositions(e){let{polygonTesselator:t}=this.state,n=this.getAttributeManager().getAttributes(),r=n.vertexPositions.value,i=this.props.data.attributes?.instanceVertexValid?.value||n.vertexValid?.value||t.get(`vertexValid`);if(e.startIndices=t.vertexStarts,!r){e.value=r;return}let a=r.length/3,o=new r.constructor(r.length);for(let e=0;e<a;e++){let t=e*3,n=i?.[e]&&e+1<a?t+3:t;for(let e=0;e<3;e++)o[t+e]=r[n+e]}e.value=o}};fO.defaultProps=uO,fO.layerName=`SolidPolygonLayer`;function pO(e,t){return e==null||t==null?NaN:e<t?-1:e>t?1:e>=t?0:NaN}function mO(e,t){return e==null||t==null?NaN:t<e?-1:t>e?1:t>=e?0:NaN}function hO(e){let t,n,r;e.length===2?(t=e===pO||e===mO?e:gO,n=e,r=e):(t=pO,n=(t,n)=>pO(e(t),n),r=(t,n)=>e(t)-n);function i(e,r,i=0,a=e.length){if(i<a){if(t(r,r)!==0)return a;do{let t=i+a>>>1;n(e[t],r)<0?i=t+1:a=t}while(i<a)}return i}function a(e,r,i=0,a=e.length){if(i<a){if(t(r,r)!==0)return a;do{let t=i+a>>>1;n(e[t],r)<=0?i=t+1:a=t}while(i<a)}return i}function o(e,t,n=0,a=e.length){let o=i(e,t,n,a-1);return o>n&&r(e[o-1],t)>-r(e[o],t)?o-1:o}return{left:i,center:o,right:a}}function gO(){return 0}function _O(e){return e===null?NaN:+e}var vO=hO(pO);vO.right,vO.left,hO(_O).center;var yO=bO(CO);function bO(e){return function(t,n,r=n){if(!((n=+n)>=0))throw RangeError(`invalid rx`);if(!((r=+r)>=0))throw RangeError(`invalid ry`);let{data:i,width:a,height:o}=t;if(!((a=Math.floor(a))>=0))throw RangeError(`invalid width`);if(!((o=Math.floor(o===void 0?i.length/a:o))>=0))throw RangeError(`invalid height`);if(!a||!o||!n&&!r)return t;let s=n&&e(n),c=r&&e(r),l=i.slice();return s&&c?(xO(s,l,i,a,o),xO(s,i,l,a,o),xO(s,l,i,a,o),SO(c,i,l,a,o),SO(c,l,i,a,o),SO(c,i,l,a,o)):s?(xO(s,i,l,a,o),xO(s,l,i,a,o),xO(s,i,l,a,o)):c&&(SO(c,i,l,a,o),SO(c,l,i,a,o),SO(c,i,l,a,o)),t}}function xO(e,t,n,r,i){for(let a=0,o=r*i;a<o;)e(t,n,a,a+=r,1)}function SO(e,t,n,r,i){for(let a=0,o=r*i;a<r;++a)e(t,n,a,a+o,r)}function CO(e){let t=Math.floor(e);if(t===e)return wO(e);let n=e-t,r=2*e+1;return(e,i,a,o,s)=>{if(!((o-=s)>=a))return;let c=t*i[a],l=s*t,u=l+s;for(let e=a,t=a+l;e<t;e+=s)c+=i[Math.min(o,e)];for(let t=a,d=o;t<=d;t+=s)c+=i[Math.min(o,t+l)],e[t]=(c+n*(i[Math.max(a,t-u)]+i[Math.min(o,t+u)]))/r,c-=i[Math.max(a,t-l)]}}function wO(e){let t=2*e+1;return(n,r,i,a,o)=>{if(!((a-=o)>=i))return;let s=e*r[i],c=o*e;for(let e=i,t=i+c;e<t;e+=o)s+=r[Math.min(a,e)];for(let e=i,l=a;e<=l;e+=o)s+=r[Math.min(a,e+c)],n[e]=s/t,s-=r[Math.max(i,e-c)]}}function TO(e,t){let n=0;if(t===void 0)for(let t of e)t!=null&&(t=+t)>=t&&++n;else{let r=-1;for(let i of e)(i=t(i,++r,e))!=null&&(i=+i)>=i&&++n}return n}function EO(e,t){let n,r;if(t===void 0)for(let t of e)t!=null&&(n===void 0?t>=t&&(n=r=t):(n>t&&(n=t),r<t&&(r=t)));else{let i=-1;for(let a of e)(a=t(a,++i,e))!=null&&(n===void 0?a>=a&&(n=r=a):(n>a&&(n=a),r<a&&(r=a)))}return[n,r]}Array.prototype.slice;var DO=Math.sqrt(50),OO=Math.sqrt(10),kO=Math.sqrt(2);function AO(e,t,n){let r=(t-e)/Math.max(0,n),i=Math.floor(Math.log10(r)),a=r/10**i,o=a>=DO?10:a>=OO?5:a>=kO?2:1,s,c,l;return i<0?(l=10**-i/o,s=Math.round(e*l),c=Math.round(t*l),s/l<e&&++s,c/l>t&&--c,l=-l):(l=10**i*o,s=Math.round(e/l),c=Math.round(t/l),s*l<e&&++s,c*l>t&&--c),c<s&&.5<=n&&n<2?AO(e,t,n*2):[s,c,l]}function jO(e,t,n){if(t=+t,e=+e,n=+n,!(n>0))return[];if(e===t)return[e];let r=t<e,[i,a,o]=r?AO(t,e,n):AO(e,t,n);if(!(a>=i))return[];let s=a-i+1,c=Array(s);if(r){if(o<0)for(let e=0;e<s;++e)c[e]=(a-e)/-o;else for(let e=0;e<s;++e)c[e]=(a-e)*o}else if(o<0)for(let e=0;e<s;++e)c[e]=(i+e)/-o;else for(let e=0;e<s;++e)c[e]=(i+e)*o;return c}function MO(e,t,n){return t=+t,e=+e,n=+n,AO(e,t,n)[2]}function NO(e,t,n){let r;for(;;){let i=MO(e,t,n);if(i===r||i===0||!isFinite(i))return[e,t];if(i>0){let n=Math.ceil(e/i),r=Math.floor(t/i);e=(n-(n*i>e))*i,t=(r+(r*i<t))*i}else if(i<0){let n=-i,r=Math.ceil(e*n),a=Math.floor(t*n);e=(r-(r/n>e))/n,t=(a+(a/n<t))/n}r=i}}function PO(e){return Math.max(1,Math.ceil(Math.log(TO(e))/Math.LN2)+1)}function FO(e,t){let n;if(t===void 0)for(let t of e)t!=null&&(n<t||n===void 0&&t>=t)&&(n=t);else{let r=-1;for(let i of e)(i=t(i,++r,e))!=null&&(n<i||n===void 0&&i>=i)&&(n=i)}return n}var IO=Array.prototype.slice;function LO(e,t){return e-t}function RO(e){for(var t=0,n=e.length,r=e[n-1][1]*e[0][0]-e[n-1][0]*e[0][1];++t<n;)r+=e[t-1][1]*e[t][0]-e[t-1][0]*e[t][1];return r}var zO=e=>()=>e;function BO(e,t){for(var n=-1,r=t.length,i;++n<r;)if(i=VO(e,t[n]))return i;return 0}function VO(e,t){for(var n=t[0],r=t[1],i=-1,a=0,o=e.length,s=o-1;a<o;s=a++){var c=e[a],l=c[0],u=c[1],d=e[s],f=d[0],p=d[1];if(HO(c,d,t))return 0;u>r!=p>r&&n<(f-l)*(r-u)/(p-u)+l&&(i=-i)}return i}function HO(e,t,n){var r;return UO(e,t,n)&&WO(e[r=+(e[0]===t[0])],n[r],t[r])}function UO(e,t,n){return(t[0]-e[0])*(n[1]-e[1])===(n[0]-e[0])*(t[1]-e[1])}function WO(e,t,n){return e<=t&&t<=n||n<=t&&t<=e}function GO(){}var KO=[[],[[[1,1.5],[.5,1]]],[[[1.5,1],[1,1.5]]],[[[1.5,1],[.5,1]]],[[[1,.5],[1.5,1]]],[[[1,1.5],[.5,1]],[[1,.5],[1.5,1]]],[[[1,.5],[1,1.5]]],[[[1,.5],[.5,1]]],[[[.5,1],[1,.5]]],[[[1,1.5],[1,.5]]],[[[.5,1],[1,.5]],[[1.5,1],[1,1.5]]],[[[1.5,1],[1,.5]]],[[[.5,1],[1.5,1]]],[[[1,1.5],[1.5,1]]],[[[.5,1],[1,1.5]]],[]];function qO(){var e=1,t=1,n=PO,r=c;function i(e){var t=n(e);if(Array.isArray(t))t=t.slice().sort(LO);else{let n=EO(e,JO);for(t=jO(...NO(n[0],n[1],t),t);t[t.length-1]>=n[1];)t.pop();for(;t[1]<n[0];)t.shift()}return t.map(t=>a(e,t))}function a(e,t){let n=t==null?NaN:+t;if(isNaN(n))throw Error(`invalid value: ${t}`);var i=[],a=[];return o(e,n,function(t){r(t,e,n),RO(t)>0?i.push([t]):a.push(t)}),a.forEach(function(e){for(var t=0,n=i.length,r;t<n;++t)if(BO((r=i[t])[0],e)!==-1){r.push(e);return}}),{type:`MultiPolygon`,value:t,coordinates:i}}function o(n,r,i){var a=[],o=[],c=l=-1,l,u,d=YO(n[0],r),f,p;for(KO[d<<1].forEach(m);++c<e-1;)u=d,d=YO(n[c+1],r),KO[u|d<<1].forEach(m);for(KO[d|0].forEach(m);++l<t-1;){for(c=-1,d=YO(n[l*e+e],r),f=YO(n[l*e],r),KO[d<<1|f<<2].forEach(m);++c<e-1;)u=d,d=YO(n[l*e+e+c+1],r),p=f,f=YO(n[l*e+c+1],r),KO[u|d<<1|f<<2|p<<3].forEach(m);KO[d|f<<3].forEach(m)}for(c=-1,f=n[l*e]>=r,KO[f<<2].forEach(m);++c<e-1;)p=f,f=YO(n[l*e+c+1],r),KO[f<<2|p<<3].forEach(m);KO[f<<3].forEach(m);function m(e){var t=[e[0][0]+c,e[0][1]+l],n=[e[1][0]+c,e[1][1]+l],r=s(t),u=s(n),d,f;(d=o[r])?(f=a[u])?(delete o[d.end],delete a[f.start],d===f?(d.ring.push(n),i(d.ring)):a[d.start]=o[f.end]={start:d.start,end:f.end,ring:d.ring.concat(f.ring)}):(delete o[d.end],d.ring.push(n),o[d.end=u]=d):(d=a[u])?(f=o[r])?(delete a[d.start],delete o[f.end],d===f?(d.ring.push(n),i(d.ring)):a[f.start]=o[d.end]={start:f.start,end:d.end,ring:f.ring.concat(d.ring)}):(delete a[d.start],d.ring.unshift(t),a[d.start=r]=d):a[r]=o[u]={start:r,end:u,ring:[t,n]}}}function s(t){return t[0]*2+t[1]*(e+1)*4}function c(n,r,i){n.forEach(function(n){var a=n[0],o=n[1],s=a|0,c=o|0,l=XO(r[c*e+s]);a>0&&a<e&&s===a&&(n[0]=ZO(a,XO(r[c*e+s-1]),l,i)),o>0&&o<t&&c===o&&(n[1]=ZO(o,XO(r[(c-1)*e+s]),l,i))})}return i.contour=a,i.size=function(n){if(!arguments.length)return[e,t];var r=Math.floor(n[0]),a=Math.floor(n[1]);if(!(r>=0&&a>=0))throw Error(`invalid size`);return e=r,t=a,i},i.thresholds=function(e){return arguments.length?(n=typeof e==`function`?e:zO(Array.isArray(e)?IO.call(e):e),i):n},i.smooth=function(e){return arguments.length?(r=e?c:GO,i):r===c},i}function JO(e){return isFinite(e)?e:NaN}function YO(e,t){return e!=null&&+e>=t}function XO(e){return e==null||isNaN(e=+e)?-1/0:e}function ZO(e,t,n,r){let i=r-t,a=n-t,o=isFinite(i)||isFinite(a)?i/a:Math.sign(i)/Math.sign(a);return isNaN(o)?e:e+o-.5}function QO(e){return e[0]}function $O(e){return e[1]}function ek(){return 1}function tk(){var e=QO,t=$O,n=ek,r=960,i=500,a=20,o=2,s=a*3,c=r+s*2>>o,l=i+s*2>>o,u=zO(20);function d(r){var i=new Float32Array(c*l),u=2**-o,d=-1;for(let a of r){var f=(e(a,++d,r)+s)*u,p=(t(a,d,r)+s)*u,m=+n(a,d,r);if(m&&f>=0&&f<c&&p>=0&&p<l){var h=Math.floor(f),g=Math.floor(p),_=f-h-.5,v=p-g-.5;i[h+g*c]+=(1-_)*(1-v)*m,i[h+1+g*c]+=_*(1-v)*m,i[h+1+(g+1)*c]+=_*v*m,i[h+(g+1)*c]+=(1-_)*v*m}}return yO({data:i,width:c,height:l},a*u),i}function f(e){var t=d(e),n=u(t),r=2**(2*o);return Array.isArray(n)||(n=jO(Number.MIN_VALUE,FO(t)/r,n)),qO().size([c,l]).thresholds(n.map(e=>e*r))(t).map((e,t)=>(e.value=+n[t],p(e)))}f.contours=function(e){var t=d(e),n=qO().size([c,l]),r=2**(2*o),i=e=>{e=+e;var i=p(n.contour(t,e*r));return i.value=e,i};return Object.defineProperty(i,"max",{get:()=>FO(t)/r}),i};function p(e){return e.coordinates.forEach(m),e}function m(e){e.forEach(h)}function h(e){e.forEach(g)}function g(e){e[0]=e[0]*2**o-s,e[1]=e[1]*2**o-s}function _(){return s=a*3,c=r+s*2>>o,l=i+s*2>>o,f}return f.x=function(t){return arguments.length?(e=typeof t==`function`?t:zO(+t),f):e},f.y=function(e){return arguments.length?(t=typeof e==`function`?e:zO(+e),f):t},f.weight=function(e){return arguments.length?(n=typeof e==`function`?e:zO(+e),f):n},f.size=function(e){if(!arguments.length)return[r,i];var t=+e[0],n=+e[1];if(!(t>=0&&n>=0))throw Error(`invalid size`);return r=t,i=n,_()},f.cellSize=function(e){if(!arguments.length)return 1<<o;if(!((e=+e)>=1))throw Error(`invalid cell size`);return o=Math.floor(Math.log(e)/Math.LN2),_()},f.thresholds=function(e){return arguments.length?(u=typeof e==`function`?e:zO(Array.isArray(e)?IO.call(e):e),f):u},f.bandwidth=function(e){if(!arguments.length)return Math.sqrt(a*(a+1));if(!((e=+e)>=0))throw Error(`invalid bandwidth`);return a=(Math.sqrt(4*e*e+1)-1)/2,_()},f}var nk=[.015,.04,.1,.2,.38,.65],rk=nk.length,ik=512,ak=2,ok=1.15*100;function sk(e){let t=e.length/2;if(t<50)return[];let n=ik/(2*ok),r=new Uint32Array(t).map((e,t)=>t),i=tk().x(t=>((e[2*t]??0)+ok)*n).y(t=>((e[2*t+1]??0)+ok)*n).size([ik,ik]).cellSize(ak).bandwidth(t<5e3?12:7).contours(r);return nk.flatMap((e,t)=>i(e*i.max).coordinates.map(e=>({level:t,rings:e.map(e=>e.map(([e=0,t=0])=>[e/n-ok,t/n-ok]))})))}var ck=2;function lk(){try{let e=document.createElement(`canvas`).getContext(`webgl2`);return e?.getExtension(`WEBGL_lose_context`)?.loseContext(),e!==null}catch{return!1}}var uk=class{deck;camera=null;data=null;marked=null;markedIds=[];contours=[];ink=[0,0,0];opacity=1;radius=1;constructor(e,t,n){this.deck=new vS({canvas:e,width:`100%`,height:`100%`,views:new DE({id:`map`,flipY:!1,controller:{inertia:n?250:0,scrollZoom:{speed:.012,smooth:!1},doubleClickZoom:!0,touchRotate:!1,dragRotate:!1,keyboard:!1}}),viewState:{target:[0,0,0],zoom:0,minZoom:-2,maxZoom:12},layers:[],useDevicePixels:Math.min(ck,window.devicePixelRatio),pickingRadius:0,getCursor:({isDragging:e})=>e?`grabbing`:`inherit`,deviceProps:{type:`webgl`,webgl:{antialias:!1}},onViewStateChange:({viewState:e})=>{let n=dk(e);n&&(this.camera=n,this.deck.setProps({viewState:e}),t.camera(n))},onError:e=>{this.data&&this.deck.isInitialized||t.failed(e)}})}destroy(){this.deck.finalize()}setCamera(e){let t=this.camera;t&&t.x===e.x&&t.y===e.y&&t.zoom===e.zoom||(this.camera=e,this.deck.setProps({viewState:{target:[e.x,e.y,0],zoom:e.zoom,minZoom:-2,maxZoom:12}}))}setPoints(e,t){let n=e.length/2,r=new Float32Array(n),i=Math.log(n+1);for(let e=0;e<n;e++)r[n-1-e]=1+1.6*(1-Math.log(e+1)/i)**1.5;this.data={length:n,attributes:{getPosition:{value:fk(e,2),size:2},getRadius:{value:r,size:1},getFillColor:{value:fk(t,4),size:4,normalized:!0}}},this.mark(this.markedIds)}movePoints(e){this.data&&(this.data={...this.data,attributes:{...this.data.attributes,getPosition:{value:fk(e,2),size:2}}},this.mark(this.markedIds))}setColors(e){this.data&&e.length===4*this.data.length&&(this.data={...this.data,attributes:{...this.data.attributes,getFillColor:{value:fk(e,4),size:4,normalized:!0}}},this.mark(this.markedIds))}setMarked(e){this.mark(e),this.draw()}setContours(e){this.contours=e,this.draw()}setStyle(e,t,n){this.radius=e,this.opacity=t,this.ink=n,this.draw()}mark(e){this.markedIds=e;let t=this.data;if(!t||e.length===0){this.marked=null;return}let n=e.length,{getPosition:r,getRadius:i,getFillColor:a}=t.attributes,o=new Float32Array(2*n),s=new Float32Array(n),c=new Uint8Array(4*n);e.forEach((e,n)=>{let l=t.length-1-e;o.set(r.value.subarray(2*l,2*l+2),2*n),s[n]=i.value[l]??1,c.set(a.value.subarray(4*l,4*l+4),4*n)}),this.marked={length:n,attributes:{getPosition:{value:o,size:2},getRadius:{value:s,size:1},getFillColor:{value:c,size:4,normalized:!0}}}}draw(){let e=[],t=this.ink;this.contours.length>0&&e.push(new fO({id:`regions`,data:this.contours,coordinateSystem:Lp.CARTESIAN,getPolygon:e=>e.rings,getFillColor:[t[0],t[1],t[2],11],updateTriggers:{getFillColor:t},parameters:{depthCompare:`always`}}),new jD({id:`contours`,data:this.contours.flatMap(({level:e,rings:t})=>t.map(t=>({level:e,path:t}))),dataComparator:()=>!1,coordinateSystem:Lp.CARTESIAN,getPath:e=>e.path,getColor:e=>[t[0],t[1],t[2],34+60*e.level/rk],updateTriggers:{getColor:t},getWidth:1,widthUnits:`pixels`,parameters:{depthCompare:`always`}})),this.data&&e.push(this.points(`points`,this.data,this.marked?this.opacity*.35:this.opacity,this.radius)),this.marked&&e.push(this.points(`marked`,this.marked,1,this.radius+.8)),this.deck.setProps({layers:e})}points(e,t,n,r){return new BE({id:e,data:t,coordinateSystem:Lp.CARTESIAN,radiusUnits:`pixels`,radiusScale:r,opacity:n,stroked:!1,parameters:{depthCompare:`always`}})}};function dk(e){let[t,n]=e.target??[],r=Array.isArray(e.zoom)?e.zoom[0]:e.zoom;return typeof t==`number`&&typeof n==`number`&&typeof r==`number`?{x:t,y:n,zoom:r}:null}function fk(e,t){let n=e.slice(),r=e.length/t;for(let i=0;i<r;i++)for(let a=0;a<t;a++)n[(r-1-i)*t+a]=e[i*t+a]??0;return n}var pk=6,mk=3,hk=class{element;events;lassoTool=!1;pressed=null;path=null;off=new AbortController;constructor(e,t){this.element=e,this.events=t;let n={capture:!0,signal:this.off.signal};e.addEventListener(`pointerdown`,e=>this.down(e),n),e.addEventListener(`pointermove`,e=>this.move(e),n),e.addEventListener(`pointerup`,e=>this.up(e),n),e.addEventListener(`pointercancel`,e=>this.cancel(e),n),e.addEventListener(`pointerleave`,()=>t.point(null),{signal:this.off.signal});for(let t of[`mousedown`,`touchstart`])e.addEventListener(t,e=>this.path&&e.stopPropagation(),n)}destroy(){this.off.abort()}place(e){let t=this.element.getBoundingClientRect();return[e.clientX-t.left,e.clientY-t.top]}down(e){if(!(e.target instanceof HTMLCanvasElement)||e.button!==0)return;let[t,n]=this.place(e);e.isPrimary?this.lassoTool||e.shiftKey?(e.stopPropagation(),e.preventDefault(),this.element.setPointerCapture(e.pointerId),this.path=[t,n],this.events.point(null)):this.pressed={x:t,y:n}:this.pressed=null}move(e){let[t,n]=this.place(e);if(this.path){e.stopPropagation();let[r=0,i=0]=this.path.slice(-2);Math.hypot(t-r,n-i)>=mk&&this.path.push(t,n),this.events.lasso(this.path)}else this.pressed&&Math.hypot(t-this.pressed.x,n-this.pressed.y)>pk&&(this.pressed=null),e.pointerType===`mouse`&&e.buttons===0&&this.events.point(e.target instanceof HTMLCanvasElement?[t,n]:null)}up(e){if(this.path){e.stopPropagation();let t=this.path;this.path=null,this.events.lassoEnd(t,!1);return}let t=this.pressed;this.pressed=null,t&&e.isPrimary&&e.target instanceof HTMLCanvasElement&&this.events.pick(this.place(e),e.pointerType!==`mouse`)}cancel(e){this.pressed=null,this.path&&(e.stopPropagation(),this.path=null,this.events.lassoEnd([],!0))}dropLasso(){return this.path?(this.path=null,this.events.lassoEnd([],!0),!0):!1}},gk=class e{cells=new Map;static cell=64;take(t){let n=e.keys(t);for(let e of n)for(let n of this.cells.get(e)??[])if(t.left<n.right&&t.right>n.left&&t.bottom<n.top&&t.top>n.bottom)return!1;for(let e of n){let n=this.cells.get(e);n?n.push(t):this.cells.set(e,[t])}return!0}static keys(t){let n=[];for(let r=Math.floor(t.left/e.cell);r<=Math.floor(t.right/e.cell);r++)for(let i=Math.floor(t.bottom/e.cell);i<=Math.floor(t.top/e.cell);i++)n.push(r*4096+i);return n}};function _k(e,t){return{left:e.x-e.width/2-t,right:e.x+e.width/2+t,bottom:e.y-e.height/2-t,top:e.y+e.height/2+t}}var vk=2500,yk=600;function bk(e,t,n,r){let i=hi(n,r),a=e.length/2,o=[],s=Math.min(a,2e4);for(let t=0;t<s&&o.length<vk;t++)gi(i,e[2*t]??0,e[2*t+1]??0)&&o.push(t);return o.length>=yk||s===a||!t?o:xk(t.within(i),vk)}function xk(e,t){if(e.length<=4*t)return e.sort((e,t)=>e-t).slice(0,t);let n=0;for(let t of e)n=Math.max(n,t);let r=Math.ceil(n*t*1.5/e.length)+t;for(;;){let i=e.filter(e=>e<=r);if(i.length>=t||r>=n)return i.sort((e,t)=>e-t).slice(0,t);r*=2}}function Sk(e,t,n,r,i,a,o,s,c){let l=[];for(let u of e){if(l.length>=o)break;let e=n[u];if(!e)continue;let[d,f]=pi(r,i,t[2*u]??0,t[2*u+1]??0),p={id:u,text:e,x:d,y:f-c*.75,width:s(e),height:c};p.x-p.width/2<2||p.x+p.width/2>i.width-2||p.y<c/2||a.take(_k(p,3))&&l.push(p)}return l}var Ck={focus:null,analogy:null,axis:null,hovered:null},wk=`system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif`,Tk={word:{font:`12px ${wk}`,height:15},strong:{font:`600 13px ${wk}`,height:17},cluster:{font:`650 14px ${wk}`,height:19}},Ek=[1,2.6],Dk=6500,Ok=class{canvas;context;widths=new Map;ratio=1;constructor(e){this.canvas=e;let t=e.getContext(`2d`);if(!t)throw Error(`The browser has no canvas.`);this.context=t}resize(e){this.ratio=window.devicePixelRatio,this.canvas.width=Math.round(e.width*this.ratio),this.canvas.height=Math.round(e.height*this.ratio)}draw(e){let{context:t}=this,{camera:n,size:r,emphasis:i}=e;t.setTransform(this.ratio,0,0,this.ratio,0,0),t.clearRect(0,0,r.width,r.height),t.lineJoin=`round`,t.lineCap=`round`,t.textAlign=`center`,t.textBaseline=`middle`;let a=new gk,o=e=>pi(n,r,e.x,e.y),s=i.focus!==null||i.analogy!==null;i.axis&&this.drawAxis(e,i.axis,o,a),i.focus&&this.drawFocus(e,i.focus,o,a),i.analogy&&this.drawAnalogy(e,i.analogy,o,a);let c=this.drawClusters(e,a,s?.4:1),l=this.drawWords(e,a,s?.55:.92,c);return i.hovered&&this.drawHovered(e,i.hovered,o),e.lasso.length>=4&&this.drawLasso(e),e.crosshair&&this.drawCrosshair(e),l}measure(e,t){let n=`${e} ${t}`,r=this.widths.get(n);return r===void 0&&(this.context.font=Tk[e].font,r=this.context.measureText(t).width,this.widths.size>2e4&&this.widths.clear(),this.widths.set(n,r)),r}text(e,t,n,r,i){let{context:a}=this;a.font=Tk[e].font,a.globalAlpha=i,a.strokeStyle=r,a.lineWidth=3.5,a.strokeText(t.text,t.x,t.y),a.fillStyle=n,a.fillText(t.text,t.x,t.y),a.globalAlpha=1}spotLabel(e,t,[n,r],i,a,o,s=`strong`){let{height:c}=Tk[s],l=this.measure(s,t),u=[[n,r-c*.95],[n,r+c*.95],[n+l/2+10,r],[n-l/2-10,r]];for(let[n,r]of u){let o={text:t,x:n,y:r,width:l,height:c};if(a.take(_k(o,1)))return this.text(s,o,i,e.ink.ground,1)}o&&this.text(s,{text:t,x:n,y:r-c*.95,width:l,height:c},i,e.ink.ground,1)}dot([e,t],n,r,i){let{context:a}=this;a.beginPath(),a.arc(e,t,n,0,2*Math.PI),a.fillStyle=r,a.fill(),a.lineWidth=1.5,a.strokeStyle=i,a.stroke()}arrow(e,t,n,r,i=[]){let{context:a}=this,o=Math.hypot(t[0]-e[0],t[1]-e[1]);if(o<2)return;let[s,c]=[(t[0]-e[0])/o,(t[1]-e[1])/o],l=Math.min(7,o/4),u=Math.min(11,o/2),d=[t[0]-l*s,t[1]-l*c],f=[d[0]-u*s,d[1]-u*c];a.strokeStyle=n,a.fillStyle=n,a.lineWidth=r,a.setLineDash(i),a.beginPath(),a.moveTo(e[0]+l*s,e[1]+l*c),a.lineTo(f[0],f[1]),a.stroke(),a.setLineDash([]),a.beginPath(),a.moveTo(d[0],d[1]),a.lineTo(f[0]-.45*u*c,f[1]+.45*u*s),a.lineTo(f[0]+.45*u*c,f[1]-.45*u*s),a.fill()}line(e,t,n,r,i,a=[]){let{context:o}=this;o.globalAlpha=i,o.strokeStyle=n,o.lineWidth=r,o.setLineDash(a),o.beginPath(),o.moveTo(e[0],e[1]),o.lineTo(t[0],t[1]),o.stroke(),o.setLineDash([]),o.globalAlpha=1}drawFocus(e,t,n,r){let{ink:i}=e,a=n(t);for(let e of t.neighbors)this.line(a,n(e),i.accent,1.25,.25+.6*Math.max(0,e.similarity));for(let e of t.neighbors)this.dot(n(e),3.5,i.accent,i.ground);if(t.composed){let{context:e}=this;e.beginPath(),e.moveTo(a[0],a[1]-8),e.lineTo(a[0]+8,a[1]),e.lineTo(a[0],a[1]+8),e.lineTo(a[0]-8,a[1]),e.closePath(),e.fillStyle=i.warm,e.fill(),e.lineWidth=2,e.strokeStyle=i.ground,e.stroke()}else this.dot(a,6,i.warm,i.ground);this.spotLabel(e,t.word,a,i.warm,r,!0,`cluster`);for(let a of t.neighbors)this.spotLabel(e,a.word,n(a),i.text,r,!1)}drawAnalogy(e,t,n,r){let{context:i}=this,{ink:a}=e,[o,s,c,l]=[n(t.a),n(t.b),n(t.c),n(t.target)];i.globalAlpha=.1,i.fillStyle=a.accent,i.beginPath();for(let[e,t]of[o,s,l,c])i.lineTo(e,t);i.fill(),i.globalAlpha=1,this.line(o,c,a.dim,1,.7,[2,5]),this.line(s,l,a.dim,1,.7,[2,5]),this.arrow(o,s,a.accent,2.5),this.arrow(c,l,a.accent,2.5,[7,5]);let u=t.answers[0];u&&this.line(l,n(u),a.warm,1.5,.9,[3,4]),i.strokeStyle=a.accent,i.lineWidth=2,i.beginPath(),i.moveTo(l[0]-5,l[1]-5),i.lineTo(l[0]+5,l[1]+5),i.moveTo(l[0]+5,l[1]-5),i.lineTo(l[0]-5,l[1]+5),i.stroke(),t.answers.slice(1).forEach(e=>this.dot(n(e),3.5,a.dim,a.ground));for(let e of[o,s,c])this.dot(e,5.5,a.accent,a.ground);u&&this.dot(n(u),6,a.warm,a.ground),u&&this.spotLabel(e,`1 ${u.word}`,n(u),a.warm,r,!0);for(let i of[t.a,t.b,t.c])this.spotLabel(e,i.word,n(i),a.text,r,!0);this.spotLabel(e,`${t.b.word} − ${t.a.word} + ${t.c.word}`,l,a.accent,r,!1,`word`),t.answers.slice(1).forEach((t,i)=>this.spotLabel(e,`${i+2} ${t.word}`,n(t),a.dim,r,!1,`word`))}drawAxis(e,t,n,r){let{ink:i}=e,[a,o]=[n(t.from),n(t.to)];this.arrow(a,o,i.text,1.5),this.dot(a,5,i.text,i.ground),this.dot(o,5,i.text,i.ground),this.spotLabel(e,t.from.word,a,i.text,r,!0),this.spotLabel(e,t.to.word,o,i.text,r,!0)}drawClusters(e,t,n){let r=di(e.camera,e.size),[i,a]=Ek,o=Math.min(1,Math.max(0,(a-r)/(a-i)));if(o===0)return 0;let{height:s}=Tk.cluster;for(let r of e.clusters){let[i,a]=pi(e.camera,e.size,r.x,r.y);if(i<0||a<0||i>e.size.width||a>e.size.height)continue;let c={text:r.label,x:i,y:a,width:this.measure(`cluster`,r.label),height:s},l=c.width/2+6;2*l>e.size.width||(c.x=Math.min(Math.max(c.x,l),e.size.width-l),t.take(_k(c,4))&&this.text(`cluster`,c,Ni(r.color),e.ink.ground,o*n))}return o}drawWords(e,t,n,r){let{camera:i,size:a,points:o,words:s,index:c,ink:l}=e,u=Math.round(Math.min(220,a.width*a.height/Dk)*(1-.75*r)),{height:d}=Tk.word,f=Sk(bk(o,c,i,a),o,s,i,a,t,u,e=>this.measure(`word`,e),d);for(let e of f)this.text(`word`,e,l.text,l.ground,n);return f}drawHovered(e,t,n){let{context:r}=this,{ink:i,size:a}=e,[o,s]=n(t);r.beginPath(),r.arc(o,s,8,0,2*Math.PI),r.lineWidth=2,r.strokeStyle=i.warm,r.stroke();let c=this.measure(`strong`,t.word)+14,l=Math.min(Math.max(o-c/2,4),Math.max(4,a.width-c-4)),u=s-16-24<0?s+14:s-14-24;r.beginPath(),r.roundRect(l,u,c,24,6),r.fillStyle=i.text,r.fill(),r.font=Tk.strong.font,r.fillStyle=i.ground,r.fillText(t.word,l+c/2,u+12)}drawLasso(e){let{context:t}=this;t.beginPath();for(let n=0;n<e.lasso.length;n+=2)t.lineTo(e.lasso[n]??0,e.lasso[n+1]??0);t.closePath(),t.globalAlpha=.12,t.fillStyle=e.ink.accent,t.fill(),t.globalAlpha=1,t.strokeStyle=e.ink.accent,t.lineWidth=1.5,t.setLineDash([5,4]),t.stroke(),t.setLineDash([])}drawCrosshair(e){let[t,n]=[e.size.width/2,e.size.height/2];for(let[r,i]of[[1,0],[-1,0],[0,1],[0,-1]])this.line([t+5*r,n+5*i],[t+13*r,n+13*i],e.ink.accent,2,1)}},kk=[Int8Array,Uint8Array,Uint8ClampedArray,Int16Array,Uint16Array,Int32Array,Uint32Array,Float32Array,Float64Array],Ak=1,jk=8,Mk=new Uint32Array(96),Nk=class e{static from(t){if(!t||t.byteLength===void 0||t.buffer)throw Error(`Data must be an instance of ArrayBuffer or SharedArrayBuffer.`);let[n,r]=new Uint8Array(t,0,2);if(n!==219)throw Error(`Data does not appear to be in a KDBush format.`);let i=r>>4;if(i!==Ak)throw Error(`Got v${i} data when expected v${Ak}.`);let a=kk[r&15];if(!a)throw Error(`Unrecognized array type.`);let[o]=new Uint16Array(t,2,1),[s]=new Uint32Array(t,4,1);return new e(s,o,a,void 0,t)}constructor(e,t=64,n=Float64Array,r=ArrayBuffer,i){if(isNaN(e)||e<0)throw Error(`Unexpected numItems value: ${e}.`);this.numItems=+e,this.nodeSize=Math.min(Math.max(+t,2),65535),this.ArrayType=n,this.IndexArrayType=e<65536?Uint16Array:Uint32Array;let a=kk.indexOf(this.ArrayType),o=e*2*this.ArrayType.BYTES_PER_ELEMENT,s=e*this.IndexArrayType.BYTES_PER_ELEMENT,c=(8-s%8)%8;if(a<0)throw Error(`Unexpected typed array class: ${n}.`);if(i)this.data=i,this.ids=new this.IndexArrayType(i,jk,e),this.coords=new n(i,jk+s+c,e*2),this._pos=e*2,this._finished=!0;else{let i=this.data=new r(jk+o+s+c);this.ids=new this.IndexArrayType(i,jk,e),this.coords=new n(i,jk+s+c,e*2),this._pos=0,this._finished=!1,new Uint8Array(i,0,2).set([219,16+a]),new Uint16Array(i,2,1)[0]=t,new Uint32Array(i,4,1)[0]=e}}add(e,t){let n=this._pos>>1;return this.ids[n]=n,this.coords[this._pos++]=e,this.coords[this._pos++]=t,n}finish(){let e=this._pos>>1;if(e!==this.numItems)throw Error(`Added ${e} items when expected ${this.numItems}.`);return Pk(this.ids,this.coords,this.nodeSize,0,this.numItems-1,0),this._finished=!0,this}range(e,t,n,r){if(!this._finished)throw Error(`Data not yet indexed - call index.finish().`);let{ids:i,coords:a,nodeSize:o}=this;Mk[0]=0,Mk[1]=i.length-1,Mk[2]=0;let s=3,c=[];for(;s>0;){let l=Mk[--s],u=Mk[--s],d=Mk[--s];if(u-d<=o){for(let o=d;o<=u;o++){let s=a[2*o],l=a[2*o+1];s>=e&&s<=n&&l>=t&&l<=r&&c.push(i[o])}continue}let f=d+u>>1,p=a[2*f],m=a[2*f+1];p>=e&&p<=n&&m>=t&&m<=r&&c.push(i[f]),(l===0?e<=p:t<=m)&&(Mk[s++]=d,Mk[s++]=f-1,Mk[s++]=1-l),(l===0?n>=p:r>=m)&&(Mk[s++]=f+1,Mk[s++]=u,Mk[s++]=1-l)}return c}within(e,t,n){let r=[];return this.withinInto(e,t,n,r),r}withinInto(e,t,n,r){if(!this._finished)throw Error(`Data not yet indexed - call index.finish().`);let{ids:i,coords:a,nodeSize:o}=this;Mk[0]=0,Mk[1]=i.length-1,Mk[2]=0;let s=3,c=0,l=n*n;for(;s>0;){let u=Mk[--s],d=Mk[--s],f=Mk[--s];if(d-f<=o){for(let n=f;n<=d;n++)Rk(a[2*n],a[2*n+1],e,t)<=l&&(r[c++]=i[n]);continue}let p=f+d>>1,m=a[2*p],h=a[2*p+1];Rk(m,h,e,t)<=l&&(r[c++]=i[p]),(u===0?e-n<=m:t-n<=h)&&(Mk[s++]=f,Mk[s++]=p-1,Mk[s++]=1-u),(u===0?e+n>=m:t+n>=h)&&(Mk[s++]=p+1,Mk[s++]=d,Mk[s++]=1-u)}return c}};function Pk(e,t,n,r,i,a){if(i-r<=n)return;let o=r+i>>1;Fk(e,t,o,r,i,a),Pk(e,t,n,r,o-1,1-a),Pk(e,t,n,o+1,i,1-a)}function Fk(e,t,n,r,i,a){for(;i>r;){if(i-r>600){let o=i-r+1,s=n-r+1,c=Math.log(o),l=.5*Math.exp(2*c/3),u=.5*Math.sqrt(c*l*(o-l)/o)*(s-o/2<0?-1:1);Fk(e,t,n,Math.max(r,Math.floor(n-s*l/o+u)),Math.min(i,Math.floor(n+(o-s)*l/o+u)),a)}let o=t[2*n+a],s=r,c=i;for(Ik(e,t,r,n),t[2*i+a]>o&&Ik(e,t,r,i);s<c;){for(Ik(e,t,s,c),s++,c--;t[2*s+a]<o;)s++;for(;t[2*c+a]>o;)c--}t[2*r+a]===o?Ik(e,t,r,c):(c++,Ik(e,t,c,i)),c<=n&&(r=c+1),n<=c&&(i=c-1)}}function Ik(e,t,n,r){Lk(e,n,r),Lk(t,2*n,2*r),Lk(t,2*n+1,2*r+1)}function Lk(e,t,n){let r=e[t];e[t]=e[n],e[n]=r}function Rk(e,t,n,r){let i=e-n,a=t-r;return i*i+a*a}var zk=class{points;tree;constructor(e){this.points=e;let t=e.length/2;this.tree=new Nk(t,64,Float32Array);for(let n=0;n<t;n++)this.tree.add(e[2*n]??0,e[2*n+1]??0);this.tree.finish()}nearest(e,t,n){let r=-1,i=1/0;for(let a of this.tree.within(e,t,n)){let n=((this.points[2*a]??0)-e)**2+((this.points[2*a+1]??0)-t)**2;(n<i||n===i&&a<r)&&([r,i]=[a,n])}return r}within(e){return this.tree.range(e.left,e.bottom,e.right,e.top)}};function Bk(e,t,n){let r=!1,i=e.length;for(let a=0,o=i-2;a<i;o=a,a+=2){let[i=0,s=0]=[e[a],e[a+1]],[c=0,l=0]=[e[o],e[o+1]];s>n!=l>n&&t<(c-i)*(n-s)/(l-s)+i&&(r=!r)}return r}function Vk(e,t,n){if(n.length<6)return[];let r={left:1/0,bottom:1/0,right:-1/0,top:-1/0};for(let e=0;e<n.length;e+=2)r.left=Math.min(r.left,n[e]??0),r.right=Math.max(r.right,n[e]??0),r.bottom=Math.min(r.bottom,n[e+1]??0),r.top=Math.max(r.top,n[e+1]??0);return e.within(r).filter(e=>Bk(n,t[2*e]??0,t[2*e+1]??0))}var Hk=900,Uk=550,Wk=500,Gk={mouse:9,touch:22},Kk=class{container;events;still;scene;overlay;gestures;resizing;size={width:1,height:1};camera=null;layout=null;points=new Float32Array;words=[];colors=new Uint8Array;index=null;clusters=[];emphasis=Ck;lasso=[];crosshair=!1;contoursWanted=!0;dark=!1;ink;shown=[];told=``;frame=0;morph=0;flight=0;labelTimer=0;densityTimer=0;pointed=null;hovered=-1;constructor(e,t,n,r,i,a){this.container=e,this.events=r,this.still=i,this.overlay=new Ok(n),this.ink=qk(e),this.scene=a?new uk(t,{camera:e=>this.moved(e),failed:r.failed},!i()):null,this.gestures=new hk(e,{point:e=>{this.pointed=e,this.schedule()},pick:(e,t)=>{let n=this.at(e,t?Gk.touch:Gk.mouse);n>=0&&r.pick(n)},lasso:e=>{this.lasso=e,this.schedule()},lassoEnd:(e,t)=>{this.lasso=[],this.schedule(),t||this.select(e)}}),this.resizing=new ResizeObserver(()=>this.resize()),this.resizing.observe(e),this.resize()}destroy(){cancelAnimationFrame(this.frame),cancelAnimationFrame(this.morph),cancelAnimationFrame(this.flight),clearTimeout(this.labelTimer),clearTimeout(this.densityTimer),this.resizing.disconnect(),this.gestures.destroy(),this.scene?.destroy()}setLayout(e,t,n){let r=this.layout,i=this.points;cancelAnimationFrame(this.morph),clearTimeout(this.densityTimer),this.layout=e,this.words=t,this.colors=n,this.index=null,this.scene?.setContours([]),e?(this.updateClusters(),r?.model===e.model&&r.projection!==e.projection&&i.length===e.points.length&&!this.still()?this.travel(i,e.points):this.arrive(e.points)):(this.points=new Float32Array,this.scene?.setPoints(this.points,new Uint8Array),this.restyle())}travel(e,t){let n=performance.now(),r=new Float32Array(t.length);this.scene?.setPoints(e,this.colors);let i=a=>{let o=Math.min(1,(a-n)/Hk);if(o>=1)return this.arrive(t);let s=bi(o);for(let n=0;n<t.length;n++)r[n]=(e[n]??0)+((t[n]??0)-(e[n]??0))*s;this.points=r,this.scene?.movePoints(r),this.restyle(),this.morph=requestAnimationFrame(i)};this.morph=requestAnimationFrame(i)}arrive(e){this.points=e,this.scene?.setPoints(e,this.colors),this.restyle(),this.densityTimer=window.setTimeout(()=>{this.index=new zk(e),this.schedule(),this.densityTimer=window.setTimeout(()=>this.updateContours(),30)},30)}updateContours(){this.scene?.setContours(this.contoursWanted&&this.layout?sk(this.layout.points):[])}updateClusters(){let e=this.layout,t=e?.info.clusters??[],n=qi(t,this.dark);this.clusters=[...t].sort((e,t)=>t.size-e.size).map(t=>{let[r,i]=e?.toMap(t.x,t.y)??[0,0];return{...t,x:r,y:i,color:n.get(t.id)??[128,128,128]}})}setColors(e){this.colors=e,this.scene?.setColors(e),this.restyle()}setContours(e){e!==this.contoursWanted&&(this.contoursWanted=e,this.updateContours())}setTheme(e){this.dark=e,this.ink=qk(this.container),this.updateClusters(),this.restyle()}setEmphasis(e){this.emphasis=e,this.restyle()}setMarked(e){this.scene?.setMarked(e),this.restyle()}setLasso(e){this.gestures.lassoTool=e}setCrosshair(e){this.crosshair=e,this.schedule()}dropLasso(){return this.gestures.dropLasso()}view(){return this.camera??ui(this.size)}viewSize(){return this.size}setCamera(e){e&&this.camera&&e.x===this.camera.x&&e.y===this.camera.y&&e.zoom===this.camera.zoom||(cancelAnimationFrame(this.flight),this.camera=e,this.restyle())}flyTo(e){cancelAnimationFrame(this.flight);let t=this.view();if(this.still())return this.moved(e);let n=performance.now(),r=i=>{let a=Math.min(1,(i-n)/Uk);this.moved(yi(t,e,bi(a))),a<1&&(this.flight=requestAnimationFrame(r))};this.flight=requestAnimationFrame(r)}moved(e){this.camera=e,this.restyle(),this.events.camera(e)}at([e,t],n){let r=this.view(),[i,a]=mi(r,this.size,e,t),o=this.index?.nearest(i,a,n/2**r.zoom)??-1;return o>=0?o:this.shown.find(n=>Math.abs(e-n.x)<=n.width/2&&Math.abs(t-n.y)<=n.height/2)?.id??-1}middle(){return this.at([this.size.width/2,this.size.height/2],60)}select(e){if(!this.index)return;let t=[],n=this.view();for(let r=0;r<e.length;r+=2)t.push(...mi(n,this.size,e[r]??0,e[r+1]??0));this.events.lasso(Vk(this.index,this.points,t))}resize(){let{clientWidth:e,clientHeight:t}=this.container;e!==0&&t!==0&&(this.size={width:e,height:t},this.overlay.resize(this.size),this.restyle())}radius(){let e=Math.max(1,this.points.length/2),t=Math.min(2.4,Math.max(.75,190/Math.sqrt(e)));return Math.min(5,t*2**(.32*Math.max(0,di(this.view(),this.size))))}restyle(){let e=this.emphasis.focus!==null||this.emphasis.analogy!==null,t=this.scene;if(t){t.setCamera(this.view());let n=this.dark?[170,190,220]:[60,80,120];t.setStyle(this.radius(),e?.4:.8,n)}this.schedule()}schedule(){this.frame===0&&(this.frame=requestAnimationFrame(()=>{this.frame=0,this.draw()}))}draw(){this.pointed&&this.points===this.layout?.points?this.hover(this.at(this.pointed,Gk.mouse)):this.pointed||this.hover(-1),this.shown=this.overlay.draw({camera:this.view(),size:this.size,points:this.points,words:this.words,index:this.index,clusters:this.points===this.layout?.points?this.clusters:[],emphasis:this.emphasis,lasso:this.lasso,crosshair:this.crosshair,ink:this.ink}),clearTimeout(this.labelTimer),this.labelTimer=window.setTimeout(()=>{let e=this.shown.map(e=>e.text),t=e.join(`
`);t!==this.told&&this.events.labels(e),this.told=t},Wk)}hover(e){e!==this.hovered&&(this.hovered=e,this.container.classList.toggle(`pointing`,e>=0),this.events.hover(e))}};function qk(e){let t=getComputedStyle(e),n=e=>t.getPropertyValue(e).trim();return{text:n(`--text`),dim:n(`--text-2`),ground:n(`--map-bg`),accent:n(`--accent`),warm:n(`--warm`)}}var Jk=Symbol.for(`pv`),Yk=0;Array.isArray;function Y(e,t,n,r,i,a){t||={};var o,s,c=t;if(`ref`in c&&typeof e!=`function`)for(s in c={},t)s==`ref`?o=t[s]:c[s]=t[s];var l={type:e,props:c,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Jk,__v:--Yk,__i:-1,__u:0};return(i||a)&&(l.__source=i,l.__self=a),L.vnode&&L.vnode(l),l}var Xk=90,Zk=.6;function Qk(e){let t=zt(null),n=zt(null),r=zt(null),i=zt(null),a=zt(e);a.current=e;let[o,s]=z([]),[c,l]=z(``);Rt(()=>{if(!t.current||!n.current||!r.current)return;let e=lk();e||l(`This browser has no WebGL 2, so the points are not drawn. Labels, search and all lists work.`);let o=new Kk(t.current,n.current,r.current,{camera:e=>a.current.onCamera(e),hover:e=>a.current.onHover(e),pick:e=>a.current.onPick(e),lasso:e=>a.current.onLasso(e),labels:s,failed:e=>l(`The points cannot be drawn: ${e.message}. Search and all lists work.`)},ea,e);return i.current=o,a.current.onReady?.(o),()=>{a.current.onReady?.(null),i.current=null,o.destroy()}},[]);let{layout:u,words:d,colors:f,contours:p,dark:m,camera:h,emphasis:g,marked:_,lasso:v}=e,y=zt(null);return Rt(()=>i.current?.setTheme(m),[m]),Rt(()=>{y.current===u&&u?i.current?.setColors(f):i.current?.setLayout(u,d,f),y.current=u},[u,d,f]),Rt(()=>i.current?.setContours(p),[p]),Rt(()=>i.current?.setCamera(h),[h]),Rt(()=>i.current?.setMarked(_),[_,u,f]),Rt(()=>i.current?.setEmphasis(g),[g]),Rt(()=>i.current?.setLasso(v),[v]),Y(`div`,{ref:t,class:`map-canvas${v?` lasso`:``}`,tabIndex:0,role:`application`,"aria-roledescription":`map`,"aria-label":`${e.label}. Arrows pan, plus and minus zoom, 0 shows everything, Enter looks at the word in the middle.`,onKeyDown:t=>{let n=i.current;if(!n||t.ctrlKey||t.metaKey||t.altKey)return;let r=(e,r,i)=>{t.preventDefault(),n.flyTo(vi(n.view(),e,r,i))};switch(t.key){case`ArrowLeft`:return r(-90,0,0);case`ArrowRight`:return r(Xk,0,0);case`ArrowUp`:return r(0,Xk,0);case`ArrowDown`:return r(0,-90,0);case`+`:case`=`:return r(0,0,Zk);case`-`:return r(0,0,-.6);case`0`:return t.preventDefault(),n.flyTo(ui(n.viewSize()));case`Enter`:{let t=n.middle();t>=0&&e.onPick(t);return}case`Escape`:n.dropLasso()||e.onEscape()}},onFocus:e=>i.current?.setCrosshair(e.currentTarget.matches(`:focus-visible`)),onBlur:()=>i.current?.setCrosshair(!1),children:[Y(`canvas`,{ref:n,class:`points`,"aria-hidden":`true`}),Y(`canvas`,{ref:r,class:`overlay`,"aria-hidden":`true`}),c&&Y(`p`,{class:`map-failure`,role:`alert`,children:c}),Y(`ul`,{class:`visually-hidden`,"aria-label":`Words in view, the most frequent first`,children:o.map(e=>Y(`li`,{children:e},e))})]})}var $k=new Intl.NumberFormat(`en`),eA=new Intl.NumberFormat(`en`,{maximumSignificantDigits:3});function tA(e){return e==null?`–`:$k.format(e)}var nA=[[0xe8d4a51000,` T`],[1e9,` G`],[1e6,` M`],[1e3,` k`]];function rA(e){if(e==null)return`–`;for(let[t,n]of nA)if(Math.abs(e)>=t*.9995)return eA.format(e/t)+n;return eA.format(e)}function iA(e,t=3){return e==null?`–`:e.toFixed(t).replace(`-`,`−`)}function aA(e,t=0){return`${(100*e).toFixed(t)} %`}function oA(e){if(e==null)return`–`;if(e<10)return`${eA.format(Math.max(0,Number(e.toFixed(1))))} s`;let t=Math.round(e);if(t<60)return`${t} s`;let[n,r,i]=[Math.floor(t/86400),Math.floor(t%86400/3600),Math.floor(t%3600/60)];return n>0?`${n} d ${r} h`:r>0?`${r} h ${i} min`:`${i} min ${t%60} s`}function sA(e){return`${rA(e)}${e>=999.5?``:` `}B`}var cA=[],lA=4;function uA(){let e=zt(null),t=An(null),n=An(-1),r=jn(()=>ii.value?W(ni.value)?.words??cA:cA),i=jn(()=>{let e=ii.value,t=e?{by:`cluster`,clusters:e.clusters,info:e.info.clusters??[]}:{by:`none`};return Bi((e?.points.length??0)/2,t,Qi.value)}),a=jn(()=>fA(r.value,n.value));return Rn(()=>{let t=ii.value,n=W(oi.value),r=e.current;if(!t||!r||n?.x===void 0||n.y===void 0||n.word!==nr.value?.text)return;let i=t.toMap(n.x,n.y),a=n.neighbors.slice(0,8).flatMap(e=>e.x===void 0||e.y===void 0?[]:[t.toMap(e.x,e.y)]);gi(hi(r.view(),r.viewSize()),...i)&&di(r.view(),r.viewSize())>1.5||r.flyTo(fi([i,...a],r.viewSize(),lA))}),Y(`section`,{class:`map second`,"aria-label":`Second map`,children:[Y(Qk,{label:`Map of ${ti.value?.name??``}`,layout:ii.value,words:r.value,colors:i.value.colors,contours:gr.value,dark:Qi.value,camera:t.value,emphasis:a.value,marked:cA,lasso:!1,onCamera:e=>t.value=e,onHover:e=>{n.value=e,or.value=W(G.value)?.ids.get(r.value[e]??``)??-1},onPick:e=>Ar(r.value[e]??``),onLasso:()=>hr.value=!1,onEscape:jr,onReady:t=>e.current=t}),Y(dA,{})]})}function dA(){let e=ri.value,t=ti.value?.name,n=e.state===`ready`&&e.value.state===`running`?e.value:null;return Y(`div`,{class:`map-status`,children:[Y(`strong`,{children:t}),e.state===`failed`&&Y(`span`,{class:`failed`,children:e.error.message}),n&&Y(`span`,{children:[n.stage??`starting`,`, `,aA(n.progress??0)]}),e.state===`loading`&&Y(`span`,{children:`Loading the map…`})]})}function fA(e,t){let n=ii.value,r=W(ni.value)?.ids;if(!n||!r)return Ck;let i=t=>{let r=e[t];return r===void 0||2*t+1>=n.points.length?null:{word:r,x:n.points[2*t]??0,y:n.points[2*t+1]??0}},a=or.value<0?void 0:W(G.value)?.words[or.value],o=a===void 0?t:r.get(a)??-1;return{...Ck,hovered:i(o),focus:pA(i)}}function pA(e){let t=W(oi.value),n=ii.value;if(!n||!t||t.word!==nr.value?.text)return null;let r=(W(ai.value)?.neighbors??t.neighbors).flatMap(t=>{let n=e(t.id);return n?[{...n,similarity:t.similarity}]:[]}),i=t.id>=0?e(t.id):null;if(i)return{...i,composed:!1,neighbors:r};if(t.x===void 0||t.y===void 0)return null;let[a,o]=n.toMap(t.x,t.y);return{word:t.word,x:a,y:o,composed:!0,neighbors:r}}function mA(e,t,n){if(!e)return{focus:null,analogy:null,axis:null,hovered:null};let r=W(G.value)?.ids,i=n=>{let r=t[n];return r===void 0||2*n+1>=e.points.length?null:{word:r,x:e.points[2*n]??0,y:e.points[2*n+1]??0}},a=e=>i(r?.get(e)??-1),o=t=>{let[n,r]=e.toMap(t.x,t.y);return{word:t.word,x:n,y:r}};return{focus:hA(i,o),analogy:gA(o),axis:_A(a),hovered:n>=0?i(n):null}}function hA(e,t){let n=nr.value,r=W(ar.value);if(!n||!r||r.word!==n.text||ur.value.state===`ready`&&_r.value===`analogy`)return null;let i=(W(rr.value)?.neighbors??r.neighbors).flatMap(t=>{let n=e(t.id);return n?[{...n,similarity:t.similarity}]:[]}),a=r.id>=0?e(r.id):null;return{...a??t(r),word:a?.word??r.word,composed:a===null,neighbors:i}}function gA(e){let t=W(ur.value);if(!t||nr.value&&_r.value!==`analogy`)return null;let n=n=>{let r=t.terms.find(e=>e.role===n);return r?e(r):null},[r,i,a]=[n(`a`),n(`b`),n(`c`)];return!r||!i||!a?null:{a:r,b:i,c:a,target:e({word:``,...t.target}),answers:t.answers.slice(0,5).map(e)}}function _A(e){let t=dr.value;if(!t||_r.value!==`axis`)return null;let[n,r]=[e(t[0]),e(t[1])];return n&&r?{from:n,to:r}:null}function vA({legend:e}){let[t,n]=z(()=>window.innerWidth>720);return e.kind===`none`?null:Y(`details`,{class:`legend`,open:t,onToggle:e=>n(e.currentTarget.open),children:[Y(`summary`,{children:e.title}),e.kind===`ramp`?Y(R,{children:[Y(bA,{colors:e.colors}),Y(`div`,{class:`ramp-ends`,children:[Y(`span`,{children:e.low}),Y(`span`,{children:e.high})]})]}):Y(`ul`,{children:[e.entries.map(({label:e,color:t,cluster:n})=>Y(`li`,{children:n===void 0?Y(`span`,{class:`legend-entry`,children:[Y(yA,{color:t}),` `,e]}):Y(`button`,{type:`button`,class:`legend-entry`,title:`Select the words of this cluster`,onClick:()=>Br(n),children:[Y(yA,{color:t}),` `,e]})},e)),e.more>0&&Y(`li`,{class:`note`,children:[`and `,e.more,` more`]})]})]})}function yA({color:e}){return Y(`svg`,{class:`swatch`,viewBox:`0 0 10 10`,"aria-hidden":`true`,children:Y(`circle`,{cx:`5`,cy:`5`,r:`5`,fill:Ni(e)})})}function bA({colors:e}){let t=zt(null);return Rt(()=>{let n=t.current?.getContext(`2d`);n&&e.forEach((e,t)=>{n.fillStyle=Ni(e),n.fillRect(t,0,1,1)})},[e]),Y(`canvas`,{ref:t,class:`ramp`,width:e.length,height:1,"aria-hidden":`true`})}var xA={pca:`PCA`,umap:`UMAP`},SA=e=>`${Math.round(100*e)} %`;function CA(){let e=$n.value,t=er.value;if(e.state===`failed`)return Y(`div`,{class:`map-status failed`,role:`alert`,children:[xA[Qn.value],`: `,e.error.message]});if(e.state===`ready`&&e.value.state===`running`)return Y(wA,{info:e.value});if(!t||e.state!==`ready`)return Zn.value&&Y(`div`,{class:`map-status note`,children:`Loading the map…`});let{trustworthiness:n,explained:r}=t.info;return Y(`div`,{class:`map-status`,children:[ti.value&&Y(`strong`,{children:Zn.value?.name}),Y(`strong`,{children:xA[t.projection]}),r&&Y(`span`,{title:`The share of the variance that these two directions hold.`,children:[SA(TA(r.slice(0,2))),` of variance`]}),n!==void 0&&Y(`details`,{children:[Y(`summary`,{children:[`trustworthiness `,n.toFixed(2)]}),Y(`p`,{children:[`1.00 means that words which are close on the map are close in the model, too. The map shows two of `,Zn.value?.dim,` dimensions.`]})]})]})}function wA({info:e}){let t=e.eta_seconds;return Y(`div`,{class:`map-status progress`,children:[Y(`label`,{children:[Y(`strong`,{children:[`Computing `,xA[Qn.value]]}),Y(`progress`,{value:e.progress??0,max:1})]}),Y(`span`,{class:`note`,children:[e.stage??`starting`,`, `,SA(e.progress??0),t!==void 0&&t>0&&`, about ${t<90?`${Math.ceil(t)} s`:`${Math.round(t/60)} min`} left`]})]})}function TA(e){return e.reduce((e,t)=>e+t,0)}var EA={search:`M9 3a6 6 0 1 0 0 12A6 6 0 0 0 9 3ZM13.5 13.5 17 17`,word:`M4 5h12M10 5v11M7.5 16h5`,analogy:`M4 15 8 5h8l-4 10ZM8 5l8 0`,axis:`M3 10h14M6 7l-3 3 3 3M14 7l3 3-3 3`,selection:`M10 4c4 0 7 2 7 5s-3 5-7 5-6-2-6-4 2-3 4-3 3 1 3 3-2 5-5 6`,compare:`M8 4v12M12 4v12M8 7H3m5 6H3M12 7h5m-5 6h5`,scores:`M4 16V9M8 16V4M12 16v-5M16 16V7`,runs:`M3 4v12h14M5 7c3 0 3 6 6 6s3-2 6-2`,info:`M10 9v5M10 6v.5M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z`,plus:`M10 4v12M4 10h12`,minus:`M4 10h12`,fit:`M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4`,close:`M5 5l10 10M15 5 5 15`,contours:`M10 3c4 0 7 3 7 7s-3 7-7 7-7-3-7-7 3-7 7-7ZM10 7c2 0 3 1 3 3s-1 3-3 3-3-1-3-3 1-3 3-3Z`,sun:`M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1`,moon:`M16 11.5A6.5 6.5 0 0 1 8.5 4a6.5 6.5 0 1 0 7.5 7.5Z`,auto:`M10 3a7 7 0 1 0 0 14ZM10 3a7 7 0 0 1 0 14`,copy:`M7 7h9v9H7ZM4 13V4h9`,download:`M10 3v9M6 9l4 4 4-4M4 16h12`,up:`M5 12l5-5 5 5`,down:`M5 8l5 5 5-5`,swap:`M4 7h11l-3-3M16 13H5l3 3`,link:`M8 12l4-4M7 9l-2 2a2.8 2.8 0 0 0 4 4l2-2M13 11l2-2a2.8 2.8 0 0 0-4-4L9 7`};function DA({name:e}){return Y(`svg`,{class:`icon`,viewBox:`0 0 20 20`,"aria-hidden":`true`,focusable:`false`,children:Y(`path`,{d:EA[e]})})}var OA=.8;function kA({map:e}){let t=t=>{let n=e.current;n&&n.flyTo(vi(n.view(),0,0,t))};return Y(`div`,{class:`toolbar`,role:`toolbar`,"aria-label":`Map tools`,"aria-orientation":`vertical`,children:[Y(AA,{icon:`plus`,label:`Zoom in`,onClick:()=>t(OA)}),Y(AA,{icon:`minus`,label:`Zoom out`,onClick:()=>t(-.8)}),Y(AA,{icon:`fit`,label:`Show the whole map`,onClick:()=>{let t=e.current;t&&t.flyTo(ui(t.viewSize()))}}),Y(AA,{icon:`selection`,label:`Lasso: draw around words`,pressed:hr.value,onClick:()=>hr.value=!hr.value}),Y(AA,{icon:`contours`,label:`Density contours`,pressed:gr.value,onClick:()=>gr.value=!gr.value})]})}function AA({icon:e,label:t,pressed:n,onClick:r}){return Y(`button`,{type:`button`,class:`icon-button`,title:t,"aria-label":t,"aria-pressed":n,onClick:r,children:Y(DA,{name:e})})}var jA=[],MA=4;function NA(){let e=zt(null),t=jn(()=>er.value?W(G.value)?.words??jA:jA),n=jn(PA),r=jn(()=>Bi((er.value?.points.length??0)/2,n.value,Qi.value)),i=jn(()=>mA(er.value,t.value,or.value));return IA(e),Y(`section`,{class:`map`,"aria-label":`Map`,children:[Y(Qk,{label:`Map of ${Xn.value}`,layout:er.value,words:t.value,colors:r.value.colors,contours:gr.value,dark:Qi.value,camera:tr.value,emphasis:i.value,marked:mr.value,lasso:hr.value,onCamera:e=>tr.value=e,onHover:e=>or.value=e,onPick:e=>Ar(t.value[e]??``),onLasso:e=>{hr.value=!1,zr(e)},onEscape:FA,onReady:t=>e.current=t}),Y(CA,{}),Y(kA,{map:e}),Y(vA,{legend:r.value.legend})]})}function PA(){let e=er.value,t=sr.value;if(!e)return{by:`none`};switch(t.by){case`none`:return{by:`none`};case`cluster`:return{by:`cluster`,clusters:e.clusters,info:e.info.clusters??[]};case`frequency`:return{by:`frequency`,counts:W(G.value)?.counts??null};case`field`:{let e=W(cr.value);return e?{by:`field`,name:t.field,field:e}:{by:`none`}}case`axis`:{let e=W(pr.value),t=dr.value;return e&&t?{by:`axis`,from:t[0],to:t[1],values:e}:{by:`none`}}}}function FA(){hr.value?hr.value=!1:mr.value.length>0?Vr():nr.value?jr():lr.value&&Ir()}function IA(e){let t=tr.peek()!==null,n=zt({query:t&&nr.peek()?.text||``,analogy:t&&lr.peek()?.join(` `)||``});Rn(()=>{let t=er.value,r=W(ar.value),i=nr.value?.text??``;if(i||(n.current.query=``),!t||!r||r.word!==i||n.current.query===i)return;n.current.query=i;let a=e.current;if(!a||!t)return;let o=t.toMap(r.x,r.y),s=hi(a.view(),a.viewSize()),c=[o,...r.neighbors.slice(0,8).map(e=>t.toMap(e.x,e.y))];gi(s,...o)&&di(a.view(),a.viewSize())>1.5||a.flyTo(fi(c,a.viewSize(),MA))}),Rn(()=>{let t=er.value,r=W(ur.value),i=lr.value?.join(` `)??``;if(i||(n.current.analogy=``),!t||!r||n.current.analogy===i)return;n.current.analogy=i;let a=e.current;if(!a)return;let o=[...r.terms,r.target,...r.answers.slice(0,1)].map(e=>t.toMap(e.x,e.y));a.flyTo(fi(o,a.viewSize(),MA))})}var LA=[[`man`,`king`,`woman`],[`france`,`paris`,`italy`],[`France`,`Paris`,`Italy`],[`good`,`better`,`bad`],[`walk`,`walked`,`play`],[`he`,`his`,`she`],[`big`,`bigger`,`small`],[`germany`,`german`,`spain`],[`brother`,`sister`,`father`],[`one`,`first`,`two`],[`Mann`,`König`,`Frau`],[`homme`,`roi`,`femme`]],RA=[[`bad`,`good`],[`he`,`she`],[`small`,`big`],[`poor`,`rich`],[`war`,`peace`],[`old`,`new`],[`schlecht`,`gut`]];function zA(e,t){return t?e.filter(e=>e.every(e=>t.ids.has(e))):[]}function BA(e){return zA(LA,e).slice(0,5)}function VA(e){return zA(RA,e).slice(0,5)}function HA({load:e,children:t}){switch(e.state){case`none`:return null;case`loading`:return Y(`p`,{class:`note loading`,role:`status`,children:`Loading…`});case`failed`:return Y(UA,{error:e.error});case`ready`:return Y(R,{children:t(e.value)})}}function UA({error:e}){let t=e instanceof Ae?e.suggestions:[];return Y(`div`,{class:`failed`,role:`alert`,children:[Y(`p`,{children:e.message}),t.length>0&&Y(`p`,{class:`chips`,children:[Y(`span`,{children:`Did you mean:`}),t.map(e=>Y(`button`,{type:`button`,class:`chip`,onClick:()=>Ar(e),children:e},e))]})]})}var WA=new WeakMap;function GA(e,t,n){let r=t.toLowerCase();if(r===``)return[];let i=WA.get(e);i||(i=e.words.map(e=>e.toLowerCase()),WA.set(e,i));let a=[],o=[];e.ids.has(t)&&a.push(t);for(let s=0;s<i.length&&a.length<n;s++){let c=i[s]?.indexOf(r)??-1,l=e.words[s];c<0||l===void 0||l===t||(c===0?a.push(l):o.length<n&&o.push(l))}return[...a,...o].slice(0,n)}function KA(e){let t=/^(.*\s[+-]\s+)(.*)$/.exec(e);return t?{before:t[1]??``,term:t[2]??``}:{before:``,term:e.trimStart()}}var qA=8;function JA({label:e,value:t,placeholder:n,hideLabel:r,onInput:i,onCommit:a,inputRef:o,class:s}){let c=Ht(),l=zt(null),u=o??l,[d,f]=z(t),[p,m]=z(!1),[h,g]=z(-1);Rt(()=>f(t),[t]);let _=W(G.value),{before:v,term:y}=KA(d),b=p&&_?GA(_,y,qA):[],x=b.length>0,S=e=>{f(e),g(-1),m(!0),i?.(e)},C=e=>{f(e),m(!1),g(-1),i?.(e),a(e.trim())};return Y(`div`,{class:`word-input ${s??``}`,children:[Y(`label`,{for:c,class:r?`visually-hidden`:`label`,children:e}),Y(`input`,{ref:u,id:c,type:`text`,role:`combobox`,value:d,placeholder:n,autocomplete:`off`,autocapitalize:`off`,spellcheck:!1,enterkeyhint:`search`,"aria-autocomplete":`list`,"aria-expanded":x,"aria-controls":`${c}-list`,"aria-activedescendant":h>=0?`${c}-${h}`:void 0,onInput:e=>S(e.currentTarget.value),onFocus:e=>e.currentTarget.select(),onBlur:()=>m(!1),onKeyDown:e=>{if(e.isComposing)return;let t=b.length;switch(e.key){case`ArrowDown`:case`ArrowUp`:{if(e.preventDefault(),!p)return m(!0);let n=e.key===`ArrowDown`?1:-1;return g((h+1+n+t+1)%(t+1)-1)}case`Enter`:{e.preventDefault();let t=b[h];return C(t===void 0?d:v+t)}case`Escape`:return x?(e.stopPropagation(),m(!1),g(-1)):void 0}}}),Y(`ul`,{id:`${c}-list`,role:`listbox`,"aria-label":`${e}: completions`,hidden:!x,class:`completions`,children:b.map((e,t)=>Y(`li`,{id:`${c}-${t}`,role:`option`,"aria-selected":t===h,onPointerDown:e=>e.preventDefault(),onClick:()=>C(v+e),children:e},e))})]})}function YA({words:e,label:t,full:n,format:r=e=>e.toFixed(3),onPick:i=Ar}){let a=n??Math.max(1e-9,...e.map(e=>Math.abs(e.value))),o=()=>or.value=-1;return Y(`ol`,{class:`word-list`,"aria-label":t,onPointerLeave:o,children:e.map(e=>Y(`li`,{children:Y(`button`,{type:`button`,onClick:()=>i(e.word),onPointerEnter:()=>or.value=e.id,onFocus:()=>or.value=e.id,onBlur:o,children:[Y(`span`,{class:`word`,children:e.word}),e.note&&Y(`span`,{class:`note`,children:e.note}),Y(`span`,{class:`number`,children:r(e.value)}),Y(`meter`,{class:`bar`,min:0,max:1,value:Math.min(1,Math.max(0,Math.abs(e.value)/a)),"aria-hidden":`true`})]})},`${e.id} ${e.word}`))})}function XA(){let e=lr.value,[t,n]=z(``),[r,i]=z(``),[a,o]=z(``);Rt(()=>{n(e?.[0]??``),i(e?.[1]??``),o(e?.[2]??``)},[e]);let s=t.trim()!==``&&r.trim()!==``&&a.trim()!==``,c=e=>{e?.preventDefault(),s&&Fr(t.trim(),r.trim(),a.trim())},l=BA(W(G.value));return Y(R,{children:[Y(`header`,{class:`panel-head`,children:[Y(`h2`,{children:`Analogy`}),e&&Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Remove the analogy`,onClick:Ir,children:Y(DA,{name:`close`})})]}),Y(`form`,{class:`analogy-form`,onSubmit:c,children:[Y(JA,{label:`a`,value:t,placeholder:`man`,onInput:n,onCommit:()=>c()}),Y(`span`,{class:`relation`,children:`is to`}),Y(JA,{label:`b`,value:r,placeholder:`king`,onInput:i,onCommit:()=>c()}),Y(`span`,{class:`relation`,children:`as`}),Y(JA,{label:`c`,value:a,placeholder:`woman`,onInput:o,onCommit:()=>c()}),Y(`span`,{class:`relation`,children:`is to ?`}),Y(`button`,{type:`submit`,class:`button primary`,disabled:!s,children:`Draw`})]}),!e&&l.length>0&&Y(R,{children:[Y(`h3`,{children:`Examples`}),Y(`div`,{class:`chips column`,children:l.map(e=>Y(`button`,{type:`button`,class:`chip`,onClick:()=>Fr(...e),children:[e[0],` : `,e[1],` = `,e[2],` : ?`]},e.join(` `)))})]}),Y(HA,{load:ur.value,children:({answers:e})=>Y(R,{children:[Y(`h3`,{children:`Answers`}),Y(YA,{words:e.map(e=>({word:e.word,id:e.id,value:e.score})),label:`Answers, the best first`,full:1}),Y(`p`,{class:`note`,children:`The score is the cosine with b − a + c in all dimensions. The map has two of them, so the answer need not lie at the corner.`})]})})]})}function ZA(){let e=dr.value,[t,n]=z(``),[r,i]=z(``);Rt(()=>{n(e?.[0]??``),i(e?.[1]??``)},[e]);let a=t.trim()!==``&&r.trim()!==``,o=e=>{e?.preventDefault(),a&&Lr(t.trim(),r.trim())},s=VA(W(G.value));return Y(R,{children:[Y(`header`,{class:`panel-head`,children:[Y(`h2`,{children:`Semantic axis`}),e&&Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Remove the axis`,onClick:Rr,children:Y(DA,{name:`close`})})]}),Y(`form`,{class:`axis-form`,onSubmit:o,children:[Y(JA,{label:`From`,value:t,placeholder:`bad`,onInput:n,onCommit:()=>o()}),Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Swap the ends`,disabled:!a,onClick:()=>Lr(r.trim(),t.trim()),children:Y(DA,{name:`swap`})}),Y(JA,{label:`To`,value:r,placeholder:`good`,onInput:i,onCommit:()=>o()}),Y(`button`,{type:`submit`,class:`button primary`,disabled:!a,children:`Show`})]}),!e&&s.length>0&&Y(R,{children:[Y(`h3`,{children:`Examples`}),Y(`div`,{class:`chips`,children:s.map(([e,t])=>Y(`button`,{type:`button`,class:`chip`,onClick:()=>Lr(e,t),children:[e,` → `,t]},e))})]}),Y(HA,{load:fr.value,children:e=>Y(R,{children:[sr.value.by!==`axis`&&Y(`button`,{type:`button`,class:`button`,onClick:()=>Pr({by:`axis`}),children:`Colour the map by this axis`}),Y(`h3`,{children:[`Toward `,e.to]}),Y(YA,{words:e.toward,label:`Words toward ${e.to}`}),Y(`h3`,{children:[`Toward `,e.from]}),Y(YA,{words:e.away,label:`Words toward ${e.from}`})]})})]})}function QA(e,t){let n=t.trim().toLowerCase();if(n===``)return e;let r=e=>e.some(e=>e.toLowerCase().startsWith(n));return e.filter(e=>e.word.toLowerCase().includes(n)||r(e.old_neighbors)||r(e.new_neighbors))}function $A(e,t){let n=new Set(t);return new Set(e.filter(e=>n.has(e)))}function ej(){let e=(W(Yn.value)??[]).filter(e=>e.name!==Zn.value?.name);return Y(R,{children:[Y(`h2`,{children:`Two models`}),e.length===0?Y(`p`,{children:`The server has one model only. Start it with two: w2v serve OLD.w2v NEW.w2v.`}):Y(`label`,{class:`field`,children:[Y(`span`,{class:`label`,children:[`Compare `,Zn.value?.name,` with`]}),Y(`select`,{value:ti.value?.name??``,onChange:e=>vr.value=e.currentTarget.value,children:[Y(`option`,{value:``,children:`Choose a model`}),e.map(e=>Y(`option`,{value:e.name,children:e.name},e.name))]})]}),ti.value&&Y(R,{children:[Y(tj,{}),Y(HA,{load:si.value,children:e=>Y(ij,{comparison:e})})]})]})}function tj(){let e=nr.value;if(!e)return Y(`p`,{class:`note`,children:`Search a word, or click a point of either map, to see its neighbours in both models.`});let[t,n]=[W(rr.value),W(ai.value)],r=t&&n?$A(t.neighbors.map(e=>e.word),n.neighbors.map(e=>e.word)):null;return Y(`section`,{children:[Y(`h3`,{class:`wrap`,children:[`Neighbours of `,e.text]}),r&&Y(`p`,{class:`note`,children:r.size===0?`No neighbour is common to both.`:`${tA(r.size)} of ${tA(t?.neighbors.length)} are common to both, and marked by =.`}),Y(`div`,{class:`pair`,children:[Y(nj,{title:Zn.value?.name??``,load:rr.value,common:r}),Y(nj,{title:ti.value?.name??``,load:ai.value,common:r})]})]})}function nj({title:e,load:t,common:n}){return Y(`div`,{children:[Y(`h3`,{class:`wrap`,children:e}),Y(HA,{load:t,children:t=>Y(`ol`,{"aria-label":`Neighbours in ${e}`,children:t.neighbors.map(e=>Y(`li`,{class:n?.has(e.word)?`common`:``,children:[Y(rj,{word:e.word}),Y(`span`,{class:`visually-hidden`,children:n?.has(e.word)?` in both`:``}),Y(`span`,{class:`number`,children:iA(e.similarity,2)})]},e.word))})})]})}function rj({word:e}){let t=()=>or.value=W(G.value)?.ids.get(e)??-1,n=()=>or.value=-1;return Y(`button`,{type:`button`,class:`link`,onClick:()=>{n(),Ar(e)},onPointerEnter:t,onPointerLeave:n,onFocus:t,onBlur:n,children:e})}function ij({comparison:e}){let[t,n]=z(``),[r,i]=z(`moved`);if(e.state===`running`)return Y(`div`,{role:`status`,class:`note`,children:[Y(`p`,{children:[`Comparing the models`,e.stage?`: ${e.stage}`:``,`…`]}),Y(`progress`,{max:1,value:e.progress??0,"aria-label":`Progress of the comparison`})]});let a=QA(r===`moved`?e.moved:e.stable,t);return Y(`section`,{children:[Y(`h3`,{children:`Words that moved`}),Y(`p`,{class:`note`,children:[tA(e.shared),` words are in both. The models were rotated onto each other; the number is the cosine of a word’s two vectors`,e.median===void 0?`.`:`, whose median is ${iA(e.median,2)}.`,(e.rare??0)>0&&` ${tA(e.rare)} words that a model saw less than ${tA(e.min_count)} times are left out.`]}),Y(`div`,{class:`row`,children:[Y(`fieldset`,{class:`segmented`,children:[Y(`legend`,{class:`visually-hidden`,children:`Which words`}),[`moved`,`stable`].map(e=>Y(`label`,{children:[Y(`input`,{type:`radio`,name:`moved`,checked:r===e,onChange:()=>i(e)}),Y(`span`,{children:e===`moved`?`Most`:`Least`})]},e))]}),Y(`input`,{type:`text`,class:`filter`,"aria-label":`Filter the words that moved`,placeholder:`Filter`,autocomplete:`off`,value:t,onInput:e=>n(e.currentTarget.value)})]}),a.length===0&&Y(`p`,{class:`note`,children:`No word fits.`}),Y(`ol`,{class:`moved`,"aria-label":r===`moved`?`Words that moved most`:`Words that moved least`,children:a.map(e=>Y(oj,{moved:e},e.word))}),Y(sj,{title:`Only in ${Zn.value?.name??``}`,of:e.only_old}),Y(sj,{title:`Only in ${ti.value?.name??``}`,of:e.only_new})]})}var aj=4;function oj({moved:e}){let t=$A(e.old_neighbors,e.new_neighbors).size;return Y(`li`,{children:[Y(rj,{word:e.word}),Y(`span`,{class:`number`,children:iA(e.cosine)}),Y(`span`,{class:`note`,children:[e.old_neighbors.slice(0,aj).join(`, `),` `,Y(`span`,{"aria-hidden":`true`,children:`→`}),Y(`span`,{class:`visually-hidden`,children:`; now`}),` `,e.new_neighbors.slice(0,aj).join(`, `),e.old_neighbors.length>0&&` · ${aA(t/e.old_neighbors.length)} common`]})]})}function sj({title:e,of:t}){return!t||t.count===0?null:Y(`details`,{class:`disclosure`,children:[Y(`summary`,{children:[e,`: `,tA(t.count),` words`]}),Y(`p`,{class:`note wrap`,children:[t.words.join(`, `),t.count>t.words.length&&` …`]})]})}var cj=bt(null);function lj(){let e=Vt(cj);if(!e)throw Error(`there is no source`);return e}function uj(e,t){let n=[[`Words`,tA(e.words)],[`Dimensions`,tA(e.dim)],[`On the map`,e.points<e.words?`the first ${tA(e.points)} words`:`all words`],[`Other words`,e.subwords?`composed from n-grams`:`have no vector`],[`Counts of words`,e.counts?`known`:`not in the file`]];e.fields.length>0&&n.push([`Metadata`,e.fields.map(e=>e.name).join(`, `)]);let r=Object.entries(e.training).flatMap(([e,t])=>dj(e,t));return[{title:`Size`,facts:[[`Format`,e.format],...n]},{title:`Training`,facts:r},{title:`This page`,facts:t}].filter(e=>e.facts.length>0)}function dj(e,t){return t==null||t===``?[]:Array.isArray(t)?t.length===0?[]:[[mj(e),t.map(fj).join(`, `)]]:typeof t==`object`?Object.entries(t).flatMap(([t,n])=>dj(`${e} ${t}`,n)):typeof t==`number`&&/bytes$/.test(e)?[[mj(e.replace(/_?bytes$/,``))||`Bytes`,sA(t)]]:[[mj(e),fj(t)]]}function fj(e){switch(typeof e){case`boolean`:return e?`yes`:`no`;case`number`:return Number.isInteger(e)?tA(e):String(e);case`string`:return e;default:return JSON.stringify(e)??``}}var pj={arch:`Architecture`,lr:`Learning rate`,ns_exponent:`Exponent of the noise`,min_count:`Smallest count`,minn:`Shortest n-gram`,maxn:`Longest n-gram`,sample:`Subsampling`,tokens:`Tokens of the corpus`,trained:`Tokens trained`};function mj(e){if(Object.hasOwn(pj,e))return pj[e]??e;let t=e.replaceAll(`_`,` `);return t.charAt(0).toUpperCase()+t.slice(1)}function hj(){let e=lj(),t=Zn.value;return t?Y(R,{children:[Y(`h2`,{children:t.name}),uj(t,e.about??[]).map(({title:e,facts:t})=>Y(`section`,{children:[Y(`h3`,{children:e}),Y(`dl`,{class:`facts`,children:t.map(([e,t],n)=>Y(R,{children:[Y(`dt`,{children:e}),Y(`dd`,{children:t})]},n))})]},e))]}):Y(`p`,{class:`note loading`,children:`Loading…`})}var gj=!0,_j=`uplot`,vj=`u-hz`,yj=`u-vt`,bj=`u-title`,xj=`u-wrap`,Sj=`u-under`,Cj=`u-over`,wj=`u-axis`,Tj=`u-off`,Ej=`u-select`,Dj=`u-cursor-x`,Oj=`u-cursor-y`,kj=`u-cursor-pt`,Aj=`u-legend`,jj=`u-live`,Mj=`u-inline`,Nj=`u-series`,Pj=`u-marker`,Fj=`u-label`,Ij=`u-value`,Lj=`width`,Rj=`height`,zj=`top`,Bj=`bottom`,Vj=`left`,Hj=`right`,Uj=`#000`,Wj=`#0000`,Gj=`mousemove`,Kj=`mousedown`,qj=`mouseup`,Jj=`mouseenter`,Yj=`mouseleave`,Xj=`dblclick`,Zj=`resize`,Qj=`scroll`,$j=`change`,eM=`dppxchange`,tM=`--`,nM=typeof window<`u`,rM=nM?document:null,iM=nM?window:null,aM=nM?navigator:null,X,oM;function sM(){let e=devicePixelRatio;X!=e&&(X=e,oM&&SM($j,oM,sM),oM=matchMedia(`(min-resolution: ${X-.001}dppx) and (max-resolution: ${X+.001}dppx)`),xM($j,oM,sM),iM.dispatchEvent(new CustomEvent(eM)))}function cM(e,t){if(t!=null){let n=e.classList;!n.contains(t)&&n.add(t)}}function lM(e,t){let n=e.classList;n.contains(t)&&n.remove(t)}function uM(e,t,n){e.style[t]=n+`px`}function dM(e,t,n,r){let i=rM.createElement(e);return t!=null&&cM(i,t),n?.insertBefore(i,r),i}function fM(e,t){return dM(`div`,e,t)}var pM=new WeakMap;function mM(e,t,n,r,i){let a=`translate(`+t+`px,`+n+`px)`;a!=pM.get(e)&&(e.style.transform=a,pM.set(e,a),t<0||n<0||t>r||n>i?cM(e,Tj):lM(e,Tj))}var hM=new WeakMap;function gM(e,t,n){let r=t+n;r!=hM.get(e)&&(hM.set(e,r),e.style.background=t,e.style.borderColor=n)}var _M=new WeakMap;function vM(e,t,n,r){let i=t+``+n;i!=_M.get(e)&&(_M.set(e,i),e.style.height=n+`px`,e.style.width=t+`px`,e.style.marginLeft=r?-t/2+`px`:0,e.style.marginTop=r?-n/2+`px`:0)}var yM={passive:!0},bM={...yM,capture:!0};function xM(e,t,n,r){t.addEventListener(e,n,r?bM:yM)}function SM(e,t,n,r){t.removeEventListener(e,n,yM)}nM&&sM();function CM(e,t,n,r){let i;n||=0,r||=t.length-1;let a=r<=2147483647;for(;r-n>1;)i=a?n+r>>1:WM((n+r)/2),t[i]<e?n=i:r=i;return e-t[n]<=t[r]-e?n:r}function wM(e){return(t,n,r)=>{let i=-1,a=-1;for(let a=n;a<=r;a++)if(e(t[a])){i=a;break}for(let i=r;i>=n;i--)if(e(t[i])){a=i;break}return[i,a]}}var TM=e=>e!=null,EM=e=>e!=null&&e>0,DM=wM(TM),OM=wM(EM);function kM(e,t,n,r=0,i=!1){let a=i?OM:DM,o=i?EM:TM;[t,n]=a(e,t,n);let s=e[t],c=e[t];if(t>-1){if(r==1)s=e[t],c=e[n];else if(r==-1)s=e[n],c=e[t];else for(let r=t;r<=n;r++){let t=e[r];o(t)&&(t<s?s=t:t>c&&(c=t))}}return[s??tN,c??-tN]}function AM(e,t,n,r){let i=XM(e),a=XM(t);e==t&&(i==-1?(e*=n,t/=n):(e/=n,t*=n));let o=n==10?ZM:QM,s=i==1?WM:KM,c=a==1?KM:WM,l=s(o(UM(e))),u=c(o(UM(t))),d=YM(n,l),f=YM(n,u);return n==10&&(l<0&&(d=gN(d,-l)),u<0&&(f=gN(f,-u))),r||n==2?(e=d*i,t=f*a):(e=hN(e,d),t=mN(t,f)),[e,t]}function jM(e,t,n,r){let i=AM(e,t,n,r);return e==0&&(i[0]=0),t==0&&(i[1]=0),i}var MM=.1,NM={mode:3,pad:MM},PM={pad:0,soft:null,mode:0},FM={min:PM,max:PM};function IM(e,t,n,r){return DN(n)?RM(e,t,n):(PM.pad=n,PM.soft=r?0:null,PM.mode=r?3:0,RM(e,t,FM))}function Z(e,t){return e??t}function LM(e,t,n){for(t=Z(t,0),n=Z(n,e.length-1);t<=n;){if(e[t]!=null)return!0;t++}return!1}function RM(e,t,n){let r=n.min,i=n.max,a=Z(r.pad,0),o=Z(i.pad,0),s=Z(r.hard,-tN),c=Z(i.hard,tN),l=Z(r.soft,tN),u=Z(i.soft,-tN),d=Z(r.mode,0),f=Z(i.mode,0),p=t-e,m=ZM(p),h=JM(UM(e),UM(t)),g=UM(ZM(h)-m);(p<1e-24||g>10)&&(p=0,(e==0||t==0)&&(p=1e-24,d==2&&l!=tN&&(a=0),f==2&&u!=-tN&&(o=0)));let _=p||h||1e3,v=YM(10,WM(ZM(_))),y=gN(hN(e-_*(p==0?e==0?.1:1:a),v/10),24),b=e>=l&&(d==1||d==3&&y<=l||d==2&&y>=l)?l:tN,x=JM(s,y<b&&e>=b?b:qM(b,y)),S=gN(mN(t+_*(p==0?t==0?.1:1:o),v/10),24),C=t<=u&&(f==1||f==3&&S>=u||f==2&&S<=u)?u:-tN,w=qM(c,S>C&&t<=C?C:JM(C,S));return x==w&&x==0&&(w=100),[x,w]}var zM=new Intl.NumberFormat(nM?aM.language:`en-US`),BM=e=>zM.format(e),VM=Math,HM=VM.PI,UM=VM.abs,WM=VM.floor,GM=VM.round,KM=VM.ceil,qM=VM.min,JM=VM.max,YM=VM.pow,XM=VM.sign,ZM=VM.log10,QM=VM.log2,$M=(e,t=1)=>VM.sinh(e)*t,eN=(e,t=1)=>VM.asinh(e/t),tN=1/0;function nN(e){return(ZM((e^e>>31)-(e>>31))|0)+1}function rN(e,t,n){return qM(JM(e,t),n)}function iN(e){return typeof e==`function`}function Q(e){return iN(e)?e:()=>e}var aN=()=>{},oN=e=>e,sN=(e,t)=>t,cN=e=>null,lN=e=>!0,uN=(e,t)=>e==t,dN=/\.\d*?(?=9{6,}|0{6,})/gm,fN=e=>{if(wN(e)||_N.has(e))return e;let t=`${e}`,n=t.match(dN);if(n==null)return e;let r=n[0].length-1;if(t.indexOf(`e-`)!=-1){let[e,n]=t.split(`e`);return+`${fN(e)}e${n}`}return gN(e,r)};function pN(e,t){return fN(gN(fN(e/t))*t)}function mN(e,t){return fN(KM(fN(e/t))*t)}function hN(e,t){return fN(WM(fN(e/t))*t)}function gN(e,t=0){if(wN(e))return e;let n=10**t;return GM(e*n*(1+2**-52))/n}var _N=new Map;function vN(e){return((``+e).split(`.`)[1]||``).length}function yN(e,t,n,r){let i=[],a=r.map(vN);for(let o=t;o<n;o++){let t=UM(o),n=gN(YM(e,o),t);for(let s=0;s<r.length;s++){let c=e==10?+`${r[s]}e${o}`:r[s]*n,l=(o>=0?0:t)+(o>=a[s]?0:a[s]),u=e==10?c:gN(c,l);i.push(u),_N.set(u,l)}}return i}var bN={},xN=[],SN=[null,null],CN=Array.isArray,wN=Number.isInteger,TN=e=>e===void 0;function EN(e){return typeof e==`string`}function DN(e){let t=!1;if(e!=null){let n=e.constructor;t=n==null||n==Object}return t}function ON(e){return typeof e==`object`&&!!e}var kN=Object.getPrototypeOf(Uint8Array),AN=`__proto__`;function jN(e,t=DN){let n;if(CN(e)){let r=e.find(e=>e!=null);if(CN(r)||t(r)){n=Array(e.length);for(let r=0;r<e.length;r++)n[r]=jN(e[r],t)}else n=e.slice()}else if(e instanceof kN)n=e.slice();else if(t(e)){n={};for(let r in e)r!=AN&&(n[r]=jN(e[r],t))}else n=e;return n}function MN(e){let t=arguments;for(let n=1;n<t.length;n++){let r=t[n];for(let t in r)t!=AN&&(DN(e[t])?MN(e[t],jN(r[t])):e[t]=jN(r[t]))}return e}var NN=0,PN=1,FN=2;function IN(e,t,n){for(let r=0,i,a=-1;r<t.length;r++){let o=t[r];if(o>a){for(i=o-1;i>=0&&e[i]==null;)e[i--]=null;for(i=o+1;i<n&&e[i]==null;)e[a=i++]=null}}}function LN(e,t){if(BN(e)){let t=e[0].slice();for(let n=1;n<e.length;n++)t.push(...e[n].slice(1));return VN(t[0])||(t=zN(t)),t}let n=new Set;for(let t=0;t<e.length;t++){let r=e[t][0],i=r.length;for(let e=0;e<i;e++)n.add(r[e])}let r=[Array.from(n).sort((e,t)=>e-t)],i=r[0].length,a=new Map;for(let e=0;e<i;e++)a.set(r[0][e],e);for(let n=0;n<e.length;n++){let o=e[n],s=o[0];for(let e=1;e<o.length;e++){let c=o[e],l=Array(i).fill(void 0),u=t?t[n][e]:PN,d=[];for(let e=0;e<c.length;e++){let t=c[e],n=a.get(s[e]);t===null?u!=NN&&(l[n]=t,u==FN&&d.push(n)):l[n]=t}IN(l,d,i),r.push(l)}}return r}var RN=typeof queueMicrotask>`u`?e=>Promise.resolve().then(e):queueMicrotask;function zN(e){let t=e[0],n=t.length,r=Array(n);for(let e=0;e<r.length;e++)r[e]=e;r.sort((e,n)=>t[e]-t[n]);let i=[];for(let t=0;t<e.length;t++){let a=e[t],o=Array(n);for(let e=0;e<n;e++)o[e]=a[r[e]];i.push(o)}return i}function BN(e){let t=e[0][0],n=t.length;for(let r=1;r<e.length;r++){let i=e[r][0];if(i.length!=n)return!1;if(i!=t){for(let e=0;e<n;e++)if(i[e]!=t[e])return!1}}return!0}function VN(e,t=100){let n=e.length;if(n<=1)return!0;let r=0,i=n-1;for(;r<=i&&e[r]==null;)r++;for(;i>=r&&e[i]==null;)i--;if(i<=r)return!0;let a=JM(1,WM((i-r+1)/t));for(let t=e[r],n=r+a;n<=i;n+=a){let r=e[n];if(r!=null){if(r<=t)return!1;t=r}}return!0}var HN=[`January`,`February`,`March`,`April`,`May`,`June`,`July`,`August`,`September`,`October`,`November`,`December`],UN=[`Sunday`,`Monday`,`Tuesday`,`Wednesday`,`Thursday`,`Friday`,`Saturday`];function WN(e){return e.slice(0,3)}var GN=UN.map(WN),KN={MMMM:HN,MMM:HN.map(WN),WWWW:UN,WWW:GN};function qN(e){return(e<10?`0`:``)+e}function JN(e){return(e<10?`00`:e<100?`0`:``)+e}var YN={YYYY:e=>e.getFullYear(),YY:e=>(e.getFullYear()+``).slice(2),MMMM:(e,t)=>t.MMMM[e.getMonth()],MMM:(e,t)=>t.MMM[e.getMonth()],MM:e=>qN(e.getMonth()+1),M:e=>e.getMonth()+1,DD:e=>qN(e.getDate()),D:e=>e.getDate(),WWWW:(e,t)=>t.WWWW[e.getDay()],WWW:(e,t)=>t.WWW[e.getDay()],HH:e=>qN(e.getHours()),H:e=>e.getHours(),h:e=>{let t=e.getHours();return t==0?12:t>12?t-12:t},AA:e=>e.getHours()>=12?`PM`:`AM`,aa:e=>e.getHours()>=12?`pm`:`am`,a:e=>e.getHours()>=12?`p`:`a`,mm:e=>qN(e.getMinutes()),m:e=>e.getMinutes(),ss:e=>qN(e.getSeconds()),s:e=>e.getSeconds(),fff:e=>JN(e.getMilliseconds())};function XN(e,t){t||=KN;let n=[],r=/\{([a-z]+)\}|[^{]+/gi,i;for(;i=r.exec(e);)n.push(i[0][0]==`{`?YN[i[1]]:i[0]);return e=>{let r=``;for(let i=0;i<n.length;i++)r+=typeof n[i]==`string`?n[i]:n[i](e,t);return r}}var ZN=new Intl.DateTimeFormat().resolvedOptions().timeZone;function QN(e,t){let n;return t==`UTC`||t==`Etc/UTC`?n=new Date(+e+e.getTimezoneOffset()*6e4):t==ZN?n=e:(n=new Date(e.toLocaleString(`en-US`,{timeZone:t})),n.setMilliseconds(e.getMilliseconds())),n}var $N=e=>e%1==0,eP=[1,2,2.5,5],tP=yN(10,-32,0,eP),nP=yN(10,0,32,eP),rP=nP.filter($N),iP=tP.concat(nP),aP=`
`,oP=`{YYYY}`,sP=aP+oP,cP=`{M}/{D}`,lP=aP+cP,uP=lP+`/{YY}`,dP=`{aa}`,fP=`{h}:{mm}`+dP,pP=aP+fP,mP=`:{ss}`,$=null;function hP(e){let t=e*1e3,n=t*60,r=n*60,i=r*24,a=i*30,o=i*365,s=(e==1?yN(10,0,3,eP).filter($N):yN(10,-3,0,eP)).concat([t,t*5,t*10,t*15,t*30,n,n*5,n*10,n*15,n*30,r,r*2,r*3,r*4,r*6,r*8,r*12,i,i*2,i*3,i*4,i*5,i*6,i*7,i*8,i*9,i*10,i*15,a,a*2,a*3,a*4,a*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,oP,$,$,$,$,$,$,1],[i*28,`{MMM}`,sP,$,$,$,$,$,1],[i,cP,sP,$,$,$,$,$,1],[r,`{h}`+dP,uP,$,lP,$,$,$,1],[n,fP,uP,$,lP,$,$,$,1],[t,mP,uP+` `+fP,$,lP+` `+fP,$,pP,$,1],[e,mP+`.{fff}`,uP+` `+fP,$,lP+` `+fP,$,pP,$,1]];function l(t){return(s,c,l,u,d,f)=>{let p=[],m=d>=o,h=d>=a&&d<o,g=t(l),_=gN(g*e,3),v=TP(g.getFullYear(),m?0:g.getMonth(),h||m?1:g.getDate()),y=gN(v*e,3);if(h||m){let n=h?d/a:0,r=m?d/o:0,i=_==y?_:gN(TP(v.getFullYear()+r,v.getMonth()+n,1)*e,3),s=new Date(GM(i/e)),c=s.getFullYear(),l=s.getMonth();for(let a=0;i<=u;a++){let o=TP(c+r*a,l+n*a,1),s=o-t(gN(o*e,3));i=gN((+o+s)*e,3),i<=u&&p.push(i)}}else{let a=d>=i?i:d,o=y+(WM(l)-WM(_))+mN(_-y,a);p.push(o);let m=t(o),h=m.getHours()+m.getMinutes()/n+m.getSeconds()/r,g=d/r,v=f/s.axes[c]._space;for(;o=gN(o+d,e==1?0:3),!(o>u);)if(g>1){let e=WM(gN(h+g,6))%24,n=t(o).getHours()-e;n>1&&(n=-1),o-=n*r,h=(h+g)%24;let i=p[p.length-1];gN((o-i)/d,3)*v>=.7&&p.push(o)}else p.push(o)}return p}}return[s,c,l]}var[gP,_P,vP]=hP(1),[yP,bP,xP]=hP(.001);yN(2,-53,53,[1]);function SP(e,t){return e.map(e=>e.map((n,r)=>r==0||r==8||n==null?n:t(r==1||e[8]==0?n:e[1]+n)))}function CP(e,t){return(n,r,i,a,o)=>{let s=t.find(e=>o>=e[0])||t[t.length-1],c,l,u,d,f,p;return r.map(t=>{let n=e(t),r=n.getFullYear(),i=n.getMonth(),a=n.getDate(),o=n.getHours(),m=n.getMinutes(),h=n.getSeconds(),g=r!=c&&s[2]||i!=l&&s[3]||a!=u&&s[4]||o!=d&&s[5]||m!=f&&s[6]||h!=p&&s[7]||s[1];return c=r,l=i,u=a,d=o,f=m,p=h,g(n)})}}function wP(e,t){let n=XN(t);return(t,r,i,a,o)=>r.map(t=>n(e(t)))}function TP(e,t,n){return new Date(e,t,n)}function EP(e,t){return t(e)}var DP=`{YYYY}-{MM}-{DD} {h}:{mm}{aa}`;function OP(e,t){return(n,r,i,a)=>a==null?tM:t(e(r))}function kP(e,t){let n=e.series[t];return n.width?n.stroke(e,t):n.points.width?n.points.stroke(e,t):null}function AP(e,t){return e.series[t].fill(e,t)}var jP={show:!0,live:!0,isolate:!1,mount:aN,markers:{show:!0,width:2,stroke:kP,fill:AP,dash:`solid`},idx:null,idxs:null,values:[]};function MP(e,t){let n=e.cursor.points,r=fM(),i=n.size(e,t);uM(r,Lj,i),uM(r,Rj,i);let a=i/-2;uM(r,`marginLeft`,a),uM(r,`marginTop`,a);let o=n.width(e,t,i);return o&&uM(r,`borderWidth`,o),r}function NP(e,t){let n=e.series[t].points;return n._fill||n._stroke}function PP(e,t){let n=e.series[t].points;return n._stroke||n._fill}function FP(e,t){return e.series[t].points.size}var IP=[0,0];function LP(e,t,n){return IP[0]=t,IP[1]=n,IP}function RP(e,t,n,r=!0){return e=>{e.button!=0||r&&e.target!=t||n(e)}}function zP(e,t,n,r=!0){return e=>{r&&e.target!=t||n(e)}}var BP={show:!0,x:!0,y:!0,lock:!1,move:LP,points:{one:!1,show:MP,size:FP,width:0,stroke:PP,fill:NP},bind:{mousedown:RP,mouseup:RP,click:RP,dblclick:RP,mousemove:zP,mouseleave:zP,mouseenter:zP},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(e,t)=>{t.stopPropagation(),t.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(e,t,n,r,i)=>r-i,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},VP={show:!0,stroke:`rgba(0,0,0,0.07)`,width:2},HP=MN({},VP,{filter:sN}),UP=MN({},HP,{size:10}),WP=MN({},VP,{show:!1}),GP=`12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"`,KP=`bold `+GP,qP=1.5,JP={show:!0,scale:`x`,stroke:Uj,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:KP,side:2,grid:HP,ticks:UP,border:WP,font:GP,lineGap:qP,rotate:0},YP=`Value`,XP=`Time`,ZP={show:!0,scale:`x`,auto:!1,sorted:1,min:tN,max:-1/0,idxs:[]};function QP(e,t,n,r,i){return t.map(e=>e==null?``:BM(e))}function $P(e,t,n,r,i,a,o){let s=[],c=_N.get(i)||0;n=o?n:gN(mN(n,i),c);for(let e=n;e<=r;e=gN(e+i,c))s.push(Object.is(e,-0)?0:e);return s}function eF(e,t,n,r,i,a,o){let s=[],c=e.scales[e.axes[t].scale].log;i=YM(c,WM((c==10?ZM:QM)(n))),c==10&&(i=iP[CM(i,iP)]);let l=n,u=i*c;c==10&&(u=iP[CM(u,iP)]);do s.push(l),l+=i,c==10&&!_N.has(l)&&(l=gN(l,_N.get(i))),l>=u&&(i=l,u=i*c,c==10&&(u=iP[CM(u,iP)]));while(l<=r);return s}function tF(e,t,n,r,i,a,o){let s=e.scales[e.axes[t].scale].asinh,c=r>s?eF(e,t,JM(s,n),r,i):[s],l=r>=0&&n<=0?[0]:[];return(n<-s?eF(e,t,JM(s,-r),-n,i):[s]).reverse().map(e=>-e).concat(l,c)}var nF=/./,rF=/[12357]/,iF=/[125]/,aF=/1/,oF=(e,t,n,r)=>e.map((e,i)=>t==4&&e==0||i%r==0&&n.test(e.toExponential()[+(e<0)])?e:null);function sF(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=e.scales[o],c=e.valToPos,l=a._space,u=c(10,o),d=c(9,o)-u>=l?nF:c(7,o)-u>=l?rF:c(5,o)-u>=l?iF:aF;if(d==aF){let e=UM(c(1,o)-u);if(e<l)return oF(t.slice().reverse(),s.distr,d,KM(l/e)).reverse()}return oF(t,s.distr,d,1)}function cF(e,t,n,r,i){let a=e.axes[n],o=a.scale,s=a._space,c=e.valToPos,l=UM(c(1,o)-c(2,o));return l<s?oF(t.slice().reverse(),3,nF,KM(s/l)).reverse():t}function lF(e,t,n,r){return r==null?tM:t==null?``:BM(t)}var uF={show:!0,scale:`y`,stroke:Uj,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:KP,side:3,grid:HP,ticks:UP,border:WP,font:GP,lineGap:qP,rotate:0};function dF(e,t){return gN((3+(e||1)*2)*t,3)}function fF(e,t){let{scale:n,idxs:r}=e.series[0],i=e._data[0],a=e.valToPos(i[r[0]],n,!0),o=UM(e.valToPos(i[r[1]],n,!0)-a)/(e.series[t].points.space*X);return r[1]-r[0]<=o}var pF={scale:null,auto:!0,sorted:0,min:tN,max:-1/0},mF=(e,t,n,r,i)=>i,hF={show:!0,auto:!0,sorted:0,gaps:mF,alpha:1,facets:[MN({},pF,{scale:`x`}),MN({},pF,{scale:`y`})]},gF={scale:`y`,auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:mF,alpha:1,points:{show:fF,filter:null},values:null,min:tN,max:-1/0,idxs:[],path:null,clip:null};function _F(e,t,n,r,i){return n/10}var vF={time:gj,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},yF=MN({},vF,{time:!1,ori:1}),bF={};function xF(e,t){let n=bF[e];return n||(n={key:e,plots:[],sub(e){n.plots.push(e)},unsub(e){n.plots=n.plots.filter(t=>t!=e)},pub(e,t,r,i,a,o,s){for(let c=0;c<n.plots.length;c++)n.plots[c]!=t&&n.plots[c].pub(e,t,r,i,a,o,s)}},e!=null&&(bF[e]=n)),n}var SF=1,CF=2;function wF(e,t,n){let r=e.mode,i=e.series[t],a=r==2?e._data[t]:e._data,o=e.scales,s=e.bbox,c=a[0],l=r==2?a[1]:a[t],u=r==2?o[i.facets[0].scale]:o[e.series[0].scale],d=r==2?o[i.facets[1].scale]:o[i.scale],f=s.left,p=s.top,m=s.width,h=s.height,g=e.valToPosH,_=e.valToPosV;return u.ori==0?n(i,c,l,u,d,g,_,f,p,m,h,NF,FF,LF,zF,VF):n(i,c,l,u,d,_,g,p,f,h,m,PF,IF,RF,BF,HF)}function TF(e,t){let n=0,r=0,i=Z(e.bands,xN);for(let e=0;e<i.length;e++){let a=i[e];a.series[0]==t?n=a.dir:a.series[1]==t&&(a.dir==1?r|=1:r|=2)}return[n,r==1?-1:r==2?1:r==3?2:0]}function EF(e,t,n,r,i){let a=e.mode,o=e.series[t],s=a==2?o.facets[1].scale:o.scale,c=e.scales[s];return i==-1?c.min:i==1?c.max:c.distr==3?c.dir==1?c.min:c.max:0}function DF(e,t,n,r,i,a){return wF(e,t,(e,t,o,s,c,l,u,d,f,p,m)=>{let h=e.pxRound,g=s.dir*(s.ori==0?1:-1),_=s.ori==0?FF:IF,v,y;g==1?(v=n,y=r):(v=r,y=n);let b=h(l(t[v],s,p,d)),x=h(u(o[v],c,m,f)),S=h(l(t[y],s,p,d)),C=h(u(a==1?c.max:c.min,c,m,f)),w=new Path2D(i);return _(w,S,C),_(w,b,C),_(w,b,x),w})}function OF(e,t,n,r,i,a){let o=null;if(e.length>0){o=new Path2D;let s=t==0?LF:RF,c=n;for(let t=0;t<e.length;t++){let n=e[t];if(n[1]>n[0]){let e=n[0]-c;e>0&&s(o,c,r,e,r+a),c=n[1]}}let l=n+i-c;l>0&&s(o,c,r-5,l,r+a+10)}return o}function kF(e,t,n){let r=e[e.length-1];r&&r[0]==t?r[1]=n:e.push([t,n])}function AF(e,t,n,r,i,a,o){let s=[],c=e.length;for(let l=i==1?n:r;l>=n&&l<=r;l+=i)if(t[l]===null){let u=l,d=l;if(i==1)for(;++l<=r&&t[l]===null;)d=l;else for(;--l>=n&&t[l]===null;)d=l;let f=a(e[u]),p=d==u?f:a(e[d]),m=u-i;f=o<=0&&m>=0&&m<c?a(e[m]):f;let h=d+i;p=o>=0&&h>=0&&h<c?a(e[h]):p,p>=f&&s.push([f,p])}return s}function jF(e){return e==0?oN:e==1?GM:t=>pN(t,e)}function MF(e){let t=e==0?NF:PF,n=e==0?(e,t,n,r,i,a)=>{e.arcTo(t,n,r,i,a)}:(e,t,n,r,i,a)=>{e.arcTo(n,t,i,r,a)},r=e==0?(e,t,n,r,i)=>{e.rect(t,n,r,i)}:(e,t,n,r,i)=>{e.rect(n,t,i,r)};return(e,i,a,o,s,c=0,l=0)=>{c==0&&l==0?r(e,i,a,o,s):(c=qM(c,o/2,s/2),l=qM(l,o/2,s/2),t(e,i+c,a),n(e,i+o,a,i+o,a+s,c),n(e,i+o,a+s,i,a+s,l),n(e,i,a+s,i,a,l),n(e,i,a,i+o,a,c),e.closePath())}}var NF=(e,t,n)=>{e.moveTo(t,n)},PF=(e,t,n)=>{e.moveTo(n,t)},FF=(e,t,n)=>{e.lineTo(t,n)},IF=(e,t,n)=>{e.lineTo(n,t)},LF=MF(0),RF=MF(1),zF=(e,t,n,r,i,a)=>{e.arc(t,n,r,i,a)},BF=(e,t,n,r,i,a)=>{e.arc(n,t,r,i,a)},VF=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(t,n,r,i,a,o)},HF=(e,t,n,r,i,a,o)=>{e.bezierCurveTo(n,t,i,r,o,a)};function UF(e){return(e,t,n,r,i)=>wF(e,t,(t,a,o,s,c,l,u,d,f,p,m)=>{let{pxRound:h,points:g}=t,_,v;s.ori==0?(_=NF,v=zF):(_=PF,v=BF);let y=gN(g.width*X,3),b=(g.size-g.width)/2*X,x=gN(b*2,3),S=new Path2D,C=new Path2D,{left:w,top:T,width:E,height:D}=e.bbox;LF(C,w-x,T-x,E+x*2,D+x*2);let O=e=>{if(o[e]!=null){let t=h(l(a[e],s,p,d)),n=h(u(o[e],c,m,f));_(S,t+b,n),v(S,t,n,b,0,HM*2)}};if(i)i.forEach(O);else for(let e=n;e<=r;e++)O(e);return{stroke:y>0?S:null,fill:S,clip:C,flags:3}})}function WF(e){return(t,n,r,i,a,o)=>{r!=i&&(a!=r&&o!=r&&e(t,n,r),a!=i&&o!=i&&e(t,n,i),e(t,n,o))}}var GF=WF(FF),KF=WF(IF);function qF(e){let t=Z(e?.alignGaps,0);return(e,n,r,i)=>wF(e,n,(a,o,s,c,l,u,d,f,p,m,h)=>{[r,i]=DM(s,r,i);let g=a.pxRound,_=e=>g(u(e,c,m,f)),v=e=>g(d(e,l,h,p)),y,b;c.ori==0?(y=FF,b=GF):(y=IF,b=KF);let x=c.dir*(c.ori==0?1:-1),S={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:SF},C=S.stroke,w=!1;if(i-r>=m*4){let t=t=>e.posToVal(t,c.key,!0),n=null,a=null,l,u,d,f=_(o[x==1?r:i]),p=_(o[r]),m=_(o[i]),h=t(x==1?p+1:m-1);for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let r=o[e],i=(x==1?r<h:r>h)?f:_(r),c=s[e];i==f?c==null?c===null&&(w=!0):(u=c,n==null?(y(C,i,v(u)),l=n=a=u):u<n?n=u:u>a&&(a=u)):(n!=null&&b(C,f,v(n),v(a),v(l),v(u)),c==null?(n=a=null,c===null&&(w=!0)):(u=c,y(C,i,v(u)),n=a=l=u),f=i,h=t(f+x))}n!=null&&n!=a&&d!=f&&b(C,f,v(n),v(a),v(l),v(u))}else for(let e=x==1?r:i;e>=r&&e<=i;e+=x){let t=s[e];t===null?w=!0:t!=null&&y(C,_(o[e]),v(t))}let[T,E]=TF(e,n);if(a.fill!=null||T!=0){let t=S.fill=new Path2D(C),s=v(a.fillTo(e,n,a.min,a.max,T)),c=_(o[r]),l=_(o[i]);x==-1&&([l,c]=[c,l]),y(t,l,s),y(t,c,s)}if(!a.spanGaps){let l=[];w&&l.push(...AF(o,s,r,i,x,_,t)),S.gaps=l=a.gaps(e,n,r,i,l),S.clip=OF(l,c.ori,f,p,m,h)}return E!=0&&(S.band=E==2?[DF(e,n,r,i,C,-1),DF(e,n,r,i,C,1)]:DF(e,n,r,i,C,E)),S})}function JF(e){let t=Z(e.align,1),n=Z(e.ascDesc,!1),r=Z(e.alignGaps,0),i=Z(e.extend,!1);return(e,a,o,s)=>wF(e,a,(c,l,u,d,f,p,m,h,g,_,v)=>{[o,s]=DM(u,o,s);let y=c.pxRound,{left:b,width:x}=e.bbox,S=e=>y(p(e,d,_,h)),C=e=>y(m(e,f,v,g)),w=d.ori==0?FF:IF,T={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:SF},E=T.stroke,D=d.dir*(d.ori==0?1:-1),O=C(u[D==1?o:s]),k=S(l[D==1?o:s]),A=k,j=k;i&&t==-1&&(j=b,w(E,j,O)),w(E,k,O);for(let e=D==1?o:s;e>=o&&e<=s;e+=D){let n=u[e];if(n==null)continue;let r=S(l[e]),i=C(n);t==1?w(E,r,O):w(E,A,i),w(E,r,i),O=i,A=r}let ee=A;i&&t==1&&(ee=b+x,w(E,ee,O));let[te,ne]=TF(e,a);if(c.fill!=null||te!=0){let t=T.fill=new Path2D(E),n=C(c.fillTo(e,a,c.min,c.max,te));w(t,ee,n),w(t,j,n)}if(!c.spanGaps){let i=[];i.push(...AF(l,u,o,s,D,S,r));let f=c.width*X/2,p=n||t==1?f:-f,m=n||t==-1?-f:f;i.forEach(e=>{e[0]+=p,e[1]+=m}),T.gaps=i=c.gaps(e,a,o,s,i),T.clip=OF(i,d.ori,h,g,_,v)}return ne!=0&&(T.band=ne==2?[DF(e,a,o,s,E,-1),DF(e,a,o,s,E,1)]:DF(e,a,o,s,E,ne)),T})}function YF(e,t,n,r,i,a,o=tN){if(e.length>1){let s=null;for(let c=0,l=1/0;c<e.length;c++)if(t[c]!==void 0){if(s!=null){let t=UM(e[c]-e[s]);t<l&&(l=t,o=UM(n(e[c],r,i,a)-n(e[s],r,i,a)))}s=c}}return o}function XF(e){e||=bN;let t=Z(e.size,[.6,tN,1]),n=e.align||0,r=e.gap||0,i=e.radius;i=i==null?[0,0]:typeof i==`number`?[i,0]:i;let a=Q(i),o=1-t[0],s=Z(t[1],tN),c=Z(t[2],1),l=Z(e.disp,bN),u=Z(e.each,e=>{}),{fill:d,stroke:f}=l;return(e,t,i,p)=>wF(e,t,(m,h,g,_,v,y,b,x,S,C,w)=>{let T=m.pxRound,E=n,D=r*X,O=s*X,k=c*X,A,j;_.ori==0?[A,j]=a(e,t):[j,A]=a(e,t);let ee=_.dir*(_.ori==0?1:-1),te=_.ori==0?LF:RF,ne=_.ori==0?u:(e,t,n,r,i,a,o)=>{u(e,t,n,i,r,o,a)},re=Z(e.bands,xN).find(e=>e.series[0]==t),ie=re==null?0:re.dir,ae=m.fillTo(e,t,m.min,m.max,ie),M=T(b(ae,v,w,S)),N,oe,se,ce=C,P=T(m.width*X),le=!1,ue=null,de=null,fe=null,pe=null;d!=null&&(P==0||f!=null)&&(le=!0,ue=d.values(e,t,i,p),de=new Map,new Set(ue).forEach(e=>{e!=null&&de.set(e,new Path2D)}),P>0&&(fe=f.values(e,t,i,p),pe=new Map,new Set(fe).forEach(e=>{e!=null&&pe.set(e,new Path2D)})));let{x0:me,size:he}=l;if(me!=null&&he!=null){E=1,h=me.values(e,t,i,p),me.unit==2&&(h=h.map(t=>e.posToVal(x+t*C,_.key,!0)));let n=he.values(e,t,i,p);oe=he.unit==2?n[0]*C:y(n[0],_,C,x)-y(0,_,C,x),ce=YF(h,g,y,_,C,x,ce),se=ce-oe+D}else ce=YF(h,g,y,_,C,x,ce),se=ce*o+D,oe=ce-se;se<1&&(se=0),P>=oe/2&&(P=0),se<5&&(T=oN);let ge=se>0,_e=ce-se-(ge?P:0);oe=T(rN(_e,k,O)),N=(E==0?oe/2:E==ee?0:oe)-E*ee*((E==0?D/2:0)+(ge?P/2:0));let ve={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},ye=le?null:new Path2D,be=null;if(re!=null)be=e.data[re.series[1]];else{let{y0:n,y1:r}=l;n!=null&&r!=null&&(g=r.values(e,t,i,p),be=n.values(e,t,i,p))}let xe=A*oe,Se=j*oe;for(let n=ee==1?i:p;n>=i&&n<=p;n+=ee){let r=g[n];if(r==null)continue;if(be!=null){let e=be[n]??0;if(r-e==0)continue;M=b(e,v,w,S)}let i=y(_.distr!=2||l!=null?h[n]:n,_,C,x),a=b(Z(r,ae),v,w,S),o=T(i-N),s=T(JM(a,M)),c=T(qM(a,M)),u=s-c;if(r!=null){let i=r<0?Se:xe,a=r<0?xe:Se;le?(P>0&&fe[n]!=null&&te(pe.get(fe[n]),o,c+WM(P/2),oe,JM(0,u-P),i,a),ue[n]!=null&&te(de.get(ue[n]),o,c+WM(P/2),oe,JM(0,u-P),i,a)):te(ye,o,c+WM(P/2),oe,JM(0,u-P),i,a),ne(e,t,n,o-P/2,c,oe+P,u)}}return P>0?ve.stroke=le?pe:ye:le||(ve._fill=m.width==0?m._fill:m._stroke??m._fill,ve.width=0),ve.fill=le?de:ye,ve})}function ZF(e,t){let n=Z(t?.alignGaps,0);return(t,r,i,a)=>wF(t,r,(o,s,c,l,u,d,f,p,m,h,g)=>{[i,a]=DM(c,i,a);let _=o.pxRound,v=e=>_(d(e,l,h,p)),y=e=>_(f(e,u,g,m)),b,x,S;l.ori==0?(b=NF,S=FF,x=VF):(b=PF,S=IF,x=HF);let C=l.dir*(l.ori==0?1:-1),w=v(s[C==1?i:a]),T=w,E=[],D=[];for(let e=C==1?i:a;e>=i&&e<=a;e+=C)if(c[e]!=null){let t=s[e],n=v(t);E.push(T=n),D.push(y(c[e]))}let O={stroke:e(E,D,b,S,x,_),fill:null,clip:null,band:null,gaps:null,flags:SF},k=O.stroke,[A,j]=TF(t,r);if(o.fill!=null||A!=0){let e=O.fill=new Path2D(k),n=y(o.fillTo(t,r,o.min,o.max,A));S(e,T,n),S(e,w,n)}if(!o.spanGaps){let e=[];e.push(...AF(s,c,i,a,C,v,n)),O.gaps=e=o.gaps(t,r,i,a,e),O.clip=OF(e,l.ori,p,m,h,g)}return j!=0&&(O.band=j==2?[DF(t,r,i,a,k,-1),DF(t,r,i,a,k,1)]:DF(t,r,i,a,k,j)),O})}function QF(e){return ZF($F,e)}function $F(e,t,n,r,i,a){let o=e.length;if(o<2)return null;let s=new Path2D;if(n(s,e[0],t[0]),o==2)r(s,e[1],t[1]);else{let n=Array(o),r=Array(o-1),a=Array(o-1),c=Array(o-1);for(let n=0;n<o-1;n++)a[n]=t[n+1]-t[n],c[n]=e[n+1]-e[n],r[n]=a[n]/c[n];n[0]=r[0];for(let e=1;e<o-1;e++)r[e]===0||r[e-1]===0||r[e-1]>0!=r[e]>0?n[e]=0:(n[e]=3*(c[e-1]+c[e])/((2*c[e]+c[e-1])/r[e-1]+(c[e]+2*c[e-1])/r[e]),isFinite(n[e])||(n[e]=0));n[o-1]=r[o-2];for(let r=0;r<o-1;r++)i(s,e[r]+c[r]/3,t[r]+n[r]*c[r]/3,e[r+1]-c[r]/3,t[r+1]-n[r+1]*c[r]/3,e[r+1],t[r+1])}return s}var eI=new Set;function tI(){for(let e of eI)e.syncRect(!0)}nM&&(xM(Zj,iM,tI),xM(Qj,iM,tI,!0),xM(eM,iM,()=>{_I.pxRatio=X}));var nI=qF(),rI=UF();function iI(e,t,n,r){return(r?[e[0],e[1]].concat(e.slice(2)):[e[0]].concat(e.slice(1))).map((e,r)=>oI(e,r,t,n))}function aI(e,t){return e.map((e,n)=>n==0?{}:MN({},t,e))}function oI(e,t,n,r){return MN({},t==0?n:r,e)}function sI(e,t,n){return t==null?SN:[t,n]}var cI=sI;function lI(e,t,n){return t==null?SN:IM(t,n,MM,!0)}function uI(e,t,n,r){return t==null?SN:AM(t,n,e.scales[r].log,!1)}var dI=uI;function fI(e,t,n,r){return t==null?SN:jM(t,n,e.scales[r].log,!1)}var pI=fI;function mI(e,t,n,r,i){let a=JM(nN(e),nN(t)),o=t-e,s=CM(i/r*o,n);do{let e=n[s],t=r*e/o;if(t>=i&&a+(e<5?_N.get(e):0)<=17)return[e,t]}while(++s<n.length);return[0,0]}function hI(e){let t,n;return e=e.replace(/(\d+)px/,(e,r)=>(t=GM((n=+r)*X))+`px`),[e,t,n]}function gI(e){e.show&&[e.font,e.labelFont].forEach(e=>{let t=gN(e[2]*X,1);e[0]=e[0].replace(/[0-9.]+px/,t+`px`),e[1]=t})}function _I(e,t,n){let r={mode:Z(e.mode,1)},i=r.mode;function a(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?1-i:i)}function o(e,t,n,r){let i=t.valToPct(e);return r+n*(t.dir==-1?i:1-i)}function s(e,t,n,r){return t.ori==0?a(e,t,n,r):o(e,t,n,r)}r.valToPosH=a,r.valToPosV=o;let c=!1;r.status=0;let l=r.root=fM(_j);if(e.id!=null&&(l.id=e.id),cM(l,e.class),e.title){let t=fM(bj,l);t.textContent=e.title}let u=dM(`canvas`),d=r.ctx=u.getContext(`2d`),f=fM(xj,l);xM(`click`,f,e=>{e.target===m&&(V!=rn||cn!=an)&&H.click(r,e)},!0);let p=r.under=fM(Sj,f);f.appendChild(u);let m=r.over=fM(Cj,f);e=jN(e);let h=+Z(e.pxAlign,1),g=jF(h);(e.plugins||[]).forEach(t=>{t.opts&&(e=t.opts(r,e)||e)});let _=e.ms||.001,v=r.series=i==1?iI(e.series||[],ZP,gF,!1):aI(e.series||[null],hF),y=r.axes=iI(e.axes||[],JP,uF,!0),b=r.scales={},x=r.bands=e.bands||[];x.forEach(e=>{e.fill=Q(e.fill||null),e.dir=Z(e.dir,-1)});let S=i==2?v[1].facets[0].scale:v[0].scale,C={axes:Ht,series:Mt},w=(e.drawOrder||[`axes`,`series`]).map(e=>C[e]);function T(e){let t=e.distr==3?t=>ZM(t>0?t:e.clamp(r,t,e.min,e.max,e.key)):e.distr==4?t=>eN(t,e.asinh):e.distr==100?t=>e.fwd(t):e=>e;return n=>{let r=t(n),{_min:i,_max:a}=e,o=a-i;return(r-i)/o}}function E(t){let n=b[t];if(n==null){let r=(e.scales||bN)[t]||bN;if(r.from!=null){E(r.from);let e=MN({},b[r.from],r,{key:t});e.valToPct=T(e),b[t]=e}else{n=b[t]=MN({},t==S?vF:yF,r),n.key=t;let e=n.time,a=n.range,o=CN(a);if((t!=S||i==2&&!e)&&(o&&(a[0]==null||a[1]==null)&&(a={min:a[0]==null?NM:{mode:1,hard:a[0],soft:a[0]},max:a[1]==null?NM:{mode:1,hard:a[1],soft:a[1]}},o=!1),!o&&DN(a))){let e=a;a=(t,n,r)=>n==null?SN:IM(n,r,e)}n.range=Q(a||(e?cI:t==S?n.distr==3?dI:n.distr==4?pI:sI:n.distr==3?uI:n.distr==4?fI:lI)),n.auto=Q(!o&&n.auto),n.clamp=Q(n.clamp||_F),n._min=n._max=null,n.valToPct=T(n)}}}E(`x`),E(`y`),i==1&&v.forEach(e=>{E(e.scale)}),y.forEach(e=>{E(e.scale)});for(let t in e.scales)E(t);let D=b[S],O=D.distr,k,A;D.ori==0?(cM(l,vj),k=a,A=o):(cM(l,yj),k=o,A=a);let j={};for(let e in b){let t=b[e];(t.min!=null||t.max!=null)&&(j[e]={min:t.min,max:t.max},t.min=t.max=null)}let ee=e.tzDate||(e=>new Date(GM(e/_))),te=e.fmtDate||XN,ne=_==1?vP(ee):xP(ee),re=CP(ee,SP(_==1?_P:bP,te)),ie=OP(ee,EP(DP,te)),ae=[],M=r.legend=MN({},jP,e.legend),N=r.cursor=MN({},BP,{drag:{y:i==2}},e.cursor),oe=M.show,se=N.show,ce=M.markers;M.idxs=ae,ce.width=Q(ce.width),ce.dash=Q(ce.dash),ce.stroke=Q(ce.stroke),ce.fill=Q(ce.fill);let P,le,ue,de=[],fe=[],pe,me=!1,he={};if(M.live){let e=v[1]?v[1].values:null;me=e!=null,pe=me?e(r,1,0):{_:0};for(let e in pe)he[e]=tM}if(oe){if(P=dM(`table`,Aj,l),ue=dM(`tbody`,null,P),M.mount(r,P),me){le=dM(`thead`,null,P,ue);let e=dM(`tr`,null,le);for(var ge in dM(`th`,null,e),pe)dM(`th`,Fj,e).textContent=ge}else cM(P,Mj),M.live&&cM(P,jj)}let _e={show:!0},ve={show:!1};function ye(e,t){if(t==0&&(me||!M.live||i==2))return SN;let n=[],a=dM(`tr`,Nj,ue,ue.childNodes[t]);cM(a,e.class),e.show||cM(a,Tj);let o=dM(`th`,null,a);if(ce.show){let e=fM(Pj,o);if(t>0){let n=ce.width(r,t);n&&(e.style.border=n+`px `+ce.dash(r,t)+` `+ce.stroke(r,t)),e.style.background=ce.fill(r,t)}}let s=fM(Fj,o);for(var c in e.label instanceof HTMLElement?s.appendChild(e.label):s.textContent=e.label,t>0&&(ce.show||(s.style.color=e.width>0?ce.stroke(r,t):ce.fill(r,t)),xe(`click`,o,t=>{if(N._lock)return;Ke(t);let n=v.indexOf(e);if((t.ctrlKey||t.metaKey)!=M.isolate){let e=v.some((e,t)=>t>0&&t!=n&&e.show);v.forEach((t,r)=>{r>0&&gn(r,e?r==n?_e:ve:_e,!0,$n.setSeries)})}else gn(n,{show:!e.show},!0,$n.setSeries)},!1),Ye&&xe(Jj,o,t=>{N._lock||(Ke(t),gn(v.indexOf(e),wn,!0,$n.setSeries))},!1)),pe){let e=dM(`td`,Ij,a);e.textContent=`--`,n.push(e)}return[a,n]}let be=new Map;function xe(e,t,n,i=!0){let a=be.get(t)||{},o=N.bind[e](r,t,n,i);o&&(xM(e,t,a[e]=o),be.set(t,a))}function Se(e,t,n){let r=be.get(t)||{};for(let n in r)(e==null||n==e)&&(SM(n,t,r[n]),delete r[n]);e??be.delete(t)}let Ce=0,we=0,F=0,I=0,Te=0,Ee=0,De=Te,Oe=Ee,ke=F,Ae=I,L=0,je=0,Me=0,Ne=0;r.bbox={};let Pe=!1,Fe=!1,Ie=!1,Le=!1,Re=!1,ze=!1;function Be(e,t,n){(n||e!=r.width||t!=r.height)&&Ve(e,t),Ut(!1),Ie=!0,Fe=!0,Jt()}function Ve(e,t){r.width=Ce=F=e,r.height=we=I=t,Te=Ee=0,We(),Ge();let n=r.bbox;L=n.left=pN(Te*X,.5),je=n.top=pN(Ee*X,.5),Me=n.width=pN(F*X,.5),Ne=n.height=pN(I*X,.5)}function He(){let e=!1,t=0;for(;!e;){t++;let n=Bt(t),i=Vt(t);e=t==3||n&&i,e||(Ve(r.width,r.height),Fe=!0)}}function Ue({width:e,height:t}){Be(e,t)}r.setSize=Ue;function We(){let e=!1,t=!1,n=!1,r=!1;y.forEach((i,a)=>{if(i.show&&i._show){let{side:a,_size:o}=i,s=a%2,c=o+(i.label==null?0:i.labelSize);c>0&&(s?(F-=c,a==3?(Te+=c,r=!0):n=!0):(I-=c,a==0?(Ee+=c,e=!0):t=!0))}}),rt[0]=e,rt[1]=n,rt[2]=t,rt[3]=r,F-=st[1]+st[3],Te+=st[3],I-=st[2]+st[0],Ee+=st[0]}function Ge(){let e=Te+F,t=Ee+I,n=Te,r=Ee;function i(i,a){switch(i){case 1:return e+=a,e-a;case 2:return t+=a,t-a;case 3:return n-=a,n+a;case 0:return r-=a,r+a}}y.forEach((e,t)=>{if(e.show&&e._show){let t=e.side;e._pos=i(t,e._size),e.label!=null&&(e._lpos=i(t,e.labelSize))}})}if(N.dataIdx==null){let e=N.hover,n=e.skip=new Set(e.skip??[]);n.add(void 0);let r=e.prox=Q(e.prox),i=e.bias??=0;N.dataIdx=(e,a,o,s)=>{if(a==0)return o;let c=o,l=r(e,a,o,s)??tN,u=l>=0&&l<tN,d=D.ori==0?F:I,f=N.left,p=t[0],m=t[a];if(n.has(m[o])){c=null;let e=null,t=null,r;if(i==0||i==-1)for(r=o;e==null&&r-->0;)n.has(m[r])||(e=r);if(i==0||i==1)for(r=o;t==null&&r++<m.length;)n.has(m[r])||(t=r);if(e!=null||t!=null){if(u){let n=e==null?-1/0:k(p[e],D,d,0),r=t==null?1/0:k(p[t],D,d,0),i=f-n,a=r-f;i<=a?i<=l&&(c=e):a<=l&&(c=t)}else c=t==null?e:e==null?t:o-e<=t-o?e:t}}else u&&UM(f-k(p[o],D,d,0))>l&&(c=null);return c}}let Ke=e=>{N.event=e};N.idxs=ae,N._lock=!1;let qe=N.points;qe.show=Q(qe.show),qe.size=Q(qe.size),qe.stroke=Q(qe.stroke),qe.width=Q(qe.width),qe.fill=Q(qe.fill);let Je=r.focus=MN({},e.focus||{alpha:.3},N.focus),Ye=Je.prox>=0,Xe=Ye&&qe.one,Ze=[],R=[],Qe=[];function $e(e,t){let n=qe.show(r,t);if(n instanceof HTMLElement)return cM(n,kj),cM(n,e.class),mM(n,-10,-10,F,I),m.insertBefore(n,Ze[t]),n}function et(e,t){if(i==1||t>0){let t=i==1&&b[e.scale].time,n=e.value;e.value=t?EN(n)?OP(ee,EP(n,te)):n||ie:n||lF,e.label=e.label||(t?XP:YP)}if(Xe||t>0){e.width=e.width==null?1:e.width,e.paths=e.paths||nI||cN,e.fillTo=Q(e.fillTo||EF),e.pxAlign=+Z(e.pxAlign,h),e.pxRound=jF(e.pxAlign),e.stroke=Q(e.stroke||null),e.fill=Q(e.fill||null),e._stroke=e._fill=e._paths=e._focus=null;let t=dF(JM(1,e.width),1),n=e.points=MN({},{size:t,width:JM(1,t*.2),stroke:e.stroke,space:t*2,paths:rI,_stroke:null,_fill:null},e.points);n.show=Q(n.show),n.filter=Q(n.filter),n.fill=Q(n.fill),n.stroke=Q(n.stroke),n.paths=Q(n.paths),n.pxAlign=e.pxAlign}if(oe){let n=ye(e,t);de.splice(t,0,n[0]),fe.splice(t,0,n[1]),M.values.push(null)}if(se){ae.splice(t,0,null);let n=null;Xe?t==0&&(n=$e(e,t)):t>0&&(n=$e(e,t)),Ze.splice(t,0,n),R.splice(t,0,0),Qe.splice(t,0,0)}G(`addSeries`,t)}function tt(e,t){t??=v.length,e=i==1?oI(e,t,ZP,gF):oI(e,t,{},hF),v.splice(t,0,e),et(v[t],t)}r.addSeries=tt;function nt(e){if(v.splice(e,1),oe){M.values.splice(e,1),fe.splice(e,1);let t=de.splice(e,1)[0];Se(null,t.firstChild),t.remove()}se&&(ae.splice(e,1),Ze.splice(e,1)[0].remove(),R.splice(e,1),Qe.splice(e,1)),G(`delSeries`,e)}r.delSeries=nt;let rt=[!1,!1,!1,!1];function it(e,t){if(e._show=e.show,e.show){let n=e.side%2,i=b[e.scale];i??=(e.scale=n?v[1].scale:S,b[e.scale]);let a=i.time;e.size=Q(e.size),e.space=Q(e.space),e.rotate=Q(e.rotate),CN(e.incrs)&&e.incrs.forEach(e=>{!_N.has(e)&&_N.set(e,vN(e))}),e.incrs=Q(e.incrs||(i.distr==2?rP:a?_==1?gP:yP:iP)),e.splits=Q(e.splits||(a&&i.distr==1?ne:i.distr==3?eF:i.distr==4?tF:$P)),e.stroke=Q(e.stroke),e.grid.stroke=Q(e.grid.stroke),e.ticks.stroke=Q(e.ticks.stroke),e.border.stroke=Q(e.border.stroke);let o=e.values;e.values=CN(o)&&!CN(o[0])?Q(o):a?CN(o)?CP(ee,SP(o,te)):EN(o)?wP(ee,o):o||re:o||QP,e.filter=Q(e.filter||(i.distr>=3&&i.log==10?sF:i.distr==3&&i.log==2?cF:sN)),e.font=hI(e.font),e.labelFont=hI(e.labelFont),e._size=e.size(r,null,t,0),e._space=e._rotate=e._incrs=e._found=e._splits=e._values=null,e._size>0&&(rt[t]=!0,e._el=fM(wj,f))}}function at(e,t,n,r){let[i,a,o,s]=n,c=t%2,l=0;return c==0&&(s||a)&&(l=t==0&&!i||t==2&&!o?GM(JP.size/3):0),c==1&&(i||o)&&(l=t==1&&!a||t==3&&!s?GM(uF.size/2):0),l}let ot=r.padding=(e.padding||[at,at,at,at]).map(e=>Q(Z(e,at))),st=r._padding=ot.map((e,t)=>e(r,t,rt,0)),ct,lt=null,ut=null,dt=i==1?v[0].idxs:null,ft=null,pt=!1;function mt(e,n){if(t=e??[],r.data=r._data=t,i==2){ct=0;for(let e=1;e<v.length;e++)ct+=t[e][0].length}else{t.length==0&&(r.data=r._data=t=[[]]),ft=t[0],ct=ft.length;let e=t;if(O==2){e=t.slice();let n=e[0]=Array(ct);for(let e=0;e<ct;e++)n[e]=e}r._data=t=e}if(Ut(!0),G(`setData`),O==2&&(Ie=!0),n!==!1){let e=D;e.auto(r,pt)?ht():hn(S,e.min,e.max),Le||=N.left>=0,ze=!0,Jt()}}r.setData=mt;function ht(){pt=!0;let e,n;i==1&&(ct>0?(lt=dt[0]=0,ut=dt[1]=ct-1,e=t[0][lt],n=t[0][ut],O==2?(e=lt,n=ut):e==n&&(O==3?[e,n]=AM(e,e,D.log,!1):O==4?[e,n]=jM(e,e,D.log,!1):D.time?n=e+GM(86400/_):[e,n]=IM(e,n,MM,!0))):(lt=dt[0]=e=null,ut=dt[1]=n=null)),hn(S,e,n)}let gt,_t,vt,yt,bt,xt,St,Ct,wt,Tt;function Et(e,t,n,r,i,a){e??=Wj,n??=xN,r??=`butt`,i??=Wj,a??=`round`,e!=gt&&(d.strokeStyle=gt=e),i!=_t&&(d.fillStyle=_t=i),t!=vt&&(d.lineWidth=vt=t),a!=bt&&(d.lineJoin=bt=a),r!=xt&&(d.lineCap=xt=r),n!=yt&&d.setLineDash(yt=n)}function Dt(e,t,n,r){t!=_t&&(d.fillStyle=_t=t),e!=St&&(d.font=St=e),n!=Ct&&(d.textAlign=Ct=n),r!=wt&&(d.textBaseline=wt=r)}function Ot(e,t,n,i,a=0){if(i.length>0&&e.auto(r,pt)&&(t==null||t.min==null)){let t=Z(lt,0),r=Z(ut,i.length-1),o=n.min==null?kM(i,t,r,a,e.distr==3):[n.min,n.max];e.min=qM(e.min,n.min=o[0]),e.max=JM(e.max,n.max=o[1])}}let kt={min:null,max:null};function At(){for(let e in b){let t=b[e];j[e]==null&&(t.min==null||j[S]!=null&&t.auto(r,pt))&&(j[e]=kt)}for(let e in b){let t=b[e];j[e]==null&&t.from!=null&&j[t.from]!=null&&(j[e]=kt)}j[S]!=null&&Ut(!0);let e={};for(let t in j){let n=j[t];if(n!=null){let a=e[t]=jN(b[t],ON);if(n.min!=null)MN(a,n);else if(t!=S||i==2){if(ct==0&&a.from==null){let e=a.range(r,null,null,t);a.min=e[0],a.max=e[1]}else a.min=tN,a.max=-1/0}}}if(ct>0){v.forEach((n,a)=>{if(i==1){let i=n.scale,o=j[i];if(o==null)return;let s=e[i];if(a==0){let e=s.range(r,s.min,s.max,i);s.min=e[0],s.max=e[1],lt=CM(s.min,t[0]),ut=CM(s.max,t[0]),ut-lt>1&&(t[0][lt]<s.min&&lt++,t[0][ut]>s.max&&ut--),n.min=ft[lt],n.max=ft[ut]}else n.show&&n.auto&&Ot(s,o,n,t[a],n.sorted);n.idxs[0]=lt,n.idxs[1]=ut}else if(a>0&&n.show&&n.auto){let[r,i]=n.facets,o=r.scale,s=i.scale,[c,l]=t[a],u=e[o],d=e[s];u!=null&&Ot(u,j[o],r,c,r.sorted),d!=null&&Ot(d,j[s],i,l,i.sorted),n.min=i.min,n.max=i.max}});for(let t in e){let n=e[t],i=j[t];if(n.from==null&&(i==null||i.min==null)){let e=n.range(r,n.min==tN?null:n.min,n.max==-1/0?null:n.max,t);n.min=e[0],n.max=e[1]}}}for(let t in e){let n=e[t];if(n.from!=null){let i=e[n.from];if(i.min==null)n.min=n.max=null;else{let e=n.range(r,i.min,i.max,t);n.min=e[0],n.max=e[1]}}}let n={},a=!1;for(let t in e){let r=e[t],i=b[t];if(i.min!=r.min||i.max!=r.max){i.min=r.min,i.max=r.max;let e=i.distr;i._min=e==3?ZM(i.min):e==4?eN(i.min,i.asinh):e==100?i.fwd(i.min):i.min,i._max=e==3?ZM(i.max):e==4?eN(i.max,i.asinh):e==100?i.fwd(i.max):i.max,n[t]=a=!0}}if(a){v.forEach((e,t)=>{i==2?t>0&&n.y&&(e._paths=null):n[e.scale]&&(e._paths=null)});for(let e in n)Ie=!0,G(`setScale`,e);se&&N.left>=0&&(Le=ze=!0)}for(let e in j)j[e]=null}function jt(e){let t=rN(lt-1,0,ct-1),n=rN(ut+1,0,ct-1);for(;e[t]==null&&t>0;)t--;for(;e[n]==null&&n<ct-1;)n++;return[t,n]}function Mt(){if(ct>0){let e=v.some(e=>e._focus)&&Tt!=Je.alpha;e&&(d.globalAlpha=Tt=Je.alpha),v.forEach((e,n)=>{if(n>0&&e.show&&(Nt(n,!1),Nt(n,!0),e._paths==null)){let a=Tt;Tt!=e.alpha&&(d.globalAlpha=Tt=e.alpha);let o=i==2?[0,t[n][0].length-1]:jt(t[n]);e._paths=e.paths(r,n,o[0],o[1]),Tt!=a&&(d.globalAlpha=Tt=a)}}),v.forEach((e,t)=>{if(t>0&&e.show){let n=Tt;Tt!=e.alpha&&(d.globalAlpha=Tt=e.alpha),e._paths!=null&&Pt(t,!1);{let n=e._paths==null?null:e._paths.gaps,i=e.points.show(r,t,lt,ut,n),a=e.points.filter(r,t,i,n);(i||a)&&(e.points._paths=e.points.paths(r,t,lt,ut,a),Pt(t,!0))}Tt!=n&&(d.globalAlpha=Tt=n),G(`drawSeries`,t)}}),e&&(d.globalAlpha=Tt=1)}}function Nt(e,t){let n=t?v[e].points:v[e];n._stroke=n.stroke(r,e),n._fill=n.fill(r,e)}function Pt(e,t){let n=t?v[e].points:v[e],{stroke:r,fill:i,clip:a,flags:o,_stroke:s=n._stroke,_fill:c=n._fill,_width:l=n.width}=n._paths;l=gN(l*X,3);let u=null,f=l%2/2;t&&c==null&&(c=l>0?`#fff`:s);let p=n.pxAlign==1&&f>0;if(p&&d.translate(f,f),!t){let e=L-l/2,t=je-l/2,n=Me+l,r=Ne+l;u=new Path2D,u.rect(e,t,n,r)}t?It(s,l,n.dash,n.cap,c,r,i,o,a):Ft(e,s,l,n.dash,n.cap,c,r,i,o,u,a),p&&d.translate(-f,-f)}function Ft(e,n,i,a,o,s,c,l,u,d,f){let p=!1;u!=0&&x.forEach((m,h)=>{if(m.series[0]==e){let e=v[m.series[1]],g=t[m.series[1]],_=(e._paths||bN).band;CN(_)&&(_=m.dir==1?_[0]:_[1]);let y,b=null;e.show&&_&&LM(g,lt,ut)?(b=m.fill(r,h)||s,y=e._paths.clip):_=null,It(n,i,a,o,b,c,l,u,d,f,y,_),p=!0}}),p||It(n,i,a,o,s,c,l,u,d,f)}function It(e,t,n,r,i,a,o,s,c,l,u,f){Et(e,t,n,r,i),(c||l||f)&&(d.save(),c&&d.clip(c),l&&d.clip(l)),f?(s&3)==3?(d.clip(f),u&&d.clip(u),Lt(i,o),z(e,a,t)):s&CF?(Lt(i,o),d.clip(f),z(e,a,t)):s&SF&&(d.save(),d.clip(f),u&&d.clip(u),Lt(i,o),d.restore(),z(e,a,t)):(Lt(i,o),z(e,a,t)),(c||l||f)&&d.restore()}function z(e,t,n){n>0&&(t instanceof Map?t.forEach((e,t)=>{d.strokeStyle=gt=t,d.stroke(e)}):t!=null&&e&&d.stroke(t))}function Lt(e,t){t instanceof Map?t.forEach((e,t)=>{d.fillStyle=_t=t,d.fill(e)}):t!=null&&e&&d.fill(t)}function Rt(e,t,n,i){let a=y[e],o;if(i<=0)o=[0,0];else{let s=a._space=a.space(r,e,t,n,i);o=mI(t,n,a._incrs=a.incrs(r,e,t,n,i,s),i,s)}return a._found=o}function zt(e,t,n,r,i,a,o,s,c,l){let u=o%2/2;h==1&&d.translate(u,u),Et(s,o,c,l,s),d.beginPath();let f,p,m,g,_=i+(r==0||r==3?-a:a);n==0?(p=i,g=_):(f=i,m=_);for(let r=0;r<e.length;r++)t[r]!=null&&(n==0?f=m=e[r]:p=g=e[r],d.moveTo(f,p),d.lineTo(m,g));d.stroke(),h==1&&d.translate(-u,-u)}function Bt(e){let t=!0;return y.forEach((n,i)=>{if(!n.show)return;let a=b[n.scale];if(a.min==null){n._show&&(t=!1,n._show=!1,Ut(!1));return}n._show||(t=!1,n._show=!0,Ut(!1));let o=n.side,s=o%2,{min:c,max:l}=a,[u,d]=Rt(i,c,l,s==0?F:I);if(d==0)return;let f=a.distr==2,p=n._splits=n.splits(r,i,c,l,u,d,f),m=a.distr==2?p.map(e=>ft[e]):p,h=a.distr==2?ft[p[1]]-ft[p[0]]:u,g=n._values=n.values(r,n.filter(r,m,i,d,h),i,d,h);n._rotate=o==2?n.rotate(r,g,i,d):0;let _=n._size;n._size=KM(n.size(r,g,i,e)),_!=null&&n._size!=_&&(t=!1)}),t}function Vt(e){let t=!0;return ot.forEach((n,i)=>{let a=n(r,i,rt,e);a!=st[i]&&(t=!1),st[i]=a}),t}function Ht(){for(let e=0;e<y.length;e++){let t=y[e];if(!t.show||!t._show)continue;let n=t.side,i=n%2,a,o,c=t.stroke(r,e),l=n==0||n==3?-1:1,[u,f]=t._found;if(t.label!=null){let s=t.labelGap*l,p=GM((t._lpos+s)*X);Dt(t.labelFont[0],c,`center`,n==2?zj:Bj),d.save(),i==1?(a=o=0,d.translate(p,GM(je+Ne/2)),d.rotate((n==3?-HM:HM)/2)):(a=GM(L+Me/2),o=p);let m=iN(t.label)?t.label(r,e,u,f):t.label;d.fillText(m,a,o),d.restore()}if(f==0)continue;let p=b[t.scale],m=i==0?Me:Ne,h=i==0?L:je,_=t._splits,v=p.distr==2?_.map(e=>ft[e]):_,x=p.distr==2?ft[_[1]]-ft[_[0]]:u,S=t.ticks,C=t.border,w=S.show?S.size:0,T=GM(w*X),E=GM((t.alignTo==2?t._size-w-t.gap:t.gap)*X),D=t._rotate*-HM/180,O=g(t._pos*X),k=O+(T+E)*l;o=i==0?k:0,a=i==1?k:0;let A=t.font[0];Dt(A,c,t.align==1?Vj:t.align==2?Hj:D>0?Vj:D<0?Hj:i==0?`center`:n==3?Hj:Vj,D||i==1?`middle`:n==2?zj:Bj);let j=t.font[1]*t.lineGap,ee=_.map(e=>g(s(e,p,m,h))),te=t._values;for(let e=0;e<te.length;e++){let t=te[e];if(t!=null){i==0?a=ee[e]:o=ee[e],t=``+t;let n=t.indexOf(`
`)==-1?[t]:t.split(/\n/gm);for(let e=0;e<n.length;e++){let t=n[e];D?(d.save(),d.translate(a,o+e*j),d.rotate(D),d.fillText(t,0,0),d.restore()):d.fillText(t,a,o+e*j)}}}S.show&&zt(ee,S.filter(r,v,e,f,x),i,n,O,T,gN(S.width*X,3),S.stroke(r,e),S.dash,S.cap);let ne=t.grid;ne.show&&zt(ee,ne.filter(r,v,e,f,x),i,i==0?2:1,i==0?je:L,i==0?Ne:Me,gN(ne.width*X,3),ne.stroke(r,e),ne.dash,ne.cap),C.show&&zt([O],[1],+(i==0),i==0?1:2,i==1?je:L,i==1?Ne:Me,gN(C.width*X,3),C.stroke(r,e),C.dash,C.cap)}G(`drawAxes`)}function Ut(e){v.forEach((t,n)=>{n>0&&(t._paths=null,e&&(i==1?(t.min=null,t.max=null):t.facets.forEach(e=>{e.min=null,e.max=null})))})}let Wt=!1,Gt=!1,Kt=[];function qt(){Gt=!1;for(let e=0;e<Kt.length;e++)G(...Kt[e]);Kt.length=0}function Jt(){Wt||=(RN(Xt),!0)}function Yt(e,t=!1){Wt=!0,Gt=t,e(r),Xt(),t&&Kt.length>0&&queueMicrotask(qt)}r.batch=Yt;function Xt(){if(Pe&&=(At(),!1),Ie&&=(He(),!1),Fe){if(uM(p,Vj,Te),uM(p,zj,Ee),uM(p,Lj,F),uM(p,Rj,I),uM(m,Vj,Te),uM(m,zj,Ee),uM(m,Lj,F),uM(m,Rj,I),uM(f,Lj,Ce),uM(f,Rj,we),u.width=GM(Ce*X),u.height=GM(we*X),y.forEach(({_el:e,_show:t,_size:n,_pos:r,side:i})=>{if(e!=null){if(t){let t=i===3||i===0?n:0,a=i%2==1;uM(e,a?`left`:`top`,r-t),uM(e,a?`width`:`height`,n),uM(e,a?`top`:`left`,a?Ee:Te),uM(e,a?`height`:`width`,a?I:F),lM(e,Tj)}else cM(e,Tj)}}),gt=_t=vt=bt=xt=St=Ct=wt=yt=null,Tt=1,Ln(!0),Te!=De||Ee!=Oe||F!=ke||I!=Ae){Ut(!1);let e=F/ke,t=I/Ae;if(se&&!Le&&N.left>=0){N.left*=e,N.top*=t,en&&mM(en,GM(N.left),0,F,I),B&&mM(B,0,GM(N.top),F,I);for(let n=0;n<Ze.length;n++){let r=Ze[n];r!=null&&(R[n]*=e,Qe[n]*=t,mM(r,KM(R[n]),KM(Qe[n]),F,I))}}if(dn.show&&!Re&&dn.left>=0&&dn.width>0){dn.left*=e,dn.width*=e,dn.top*=t,dn.height*=t;for(let e in Bn)uM(fn,e,dn[e])}De=Te,Oe=Ee,ke=F,Ae=I}G(`setSize`),Fe=!1}Ce>0&&we>0&&(d.clearRect(0,0,u.width,u.height),G(`drawClear`),w.forEach(e=>e()),G(`draw`)),dn.show&&Re&&(pn(dn),Re=!1),se&&Le&&(Fn(null,!0,!1),Le=!1),M.show&&M.live&&ze&&(Nn(),ze=!1),c||(c=!0,r.status=1,G(`ready`)),pt=!1,Wt=!1}r.redraw=(e,t)=>{Ie=t||!1,e===!1?Jt():hn(S,D.min,D.max)};function Zt(e,n){let i=b[e];if(i.from==null){if(ct==0){let t=i.range(r,n.min,n.max,e);n.min=t[0],n.max=t[1]}if(n.min>n.max){let e=n.min;n.min=n.max,n.max=e}if(ct>1&&n.min!=null&&n.max!=null&&n.max-n.min<1e-16)return;e==S&&i.distr==2&&ct>0&&(n.min=CM(n.min,t[0]),n.max=CM(n.max,t[0]),n.min==n.max&&n.max++),j[e]=n,Pe=!0,Jt()}}r.setScale=Zt;let Qt,$t,en,B,tn,nn,rn,an,on,sn,V,cn,ln=!1,H=N.drag,U=H.x,un=H.y;se&&(N.x&&(Qt=fM(Dj,m)),N.y&&($t=fM(Oj,m)),D.ori==0?(en=Qt,B=$t):(en=$t,B=Qt),V=N.left,cn=N.top);let dn=r.select=MN({show:!0,over:!0,left:0,width:0,top:0,height:0},e.select),fn=dn.show?fM(Ej,dn.over?m:p):null;function pn(e,t){if(dn.show){for(let t in e)dn[t]=e[t],t in Bn&&uM(fn,t,e[t]);t!==!1&&G(`setSelect`)}}r.setSelect=pn;function mn(e){if(v[e].show)oe&&lM(de[e],Tj);else if(oe&&cM(de[e],Tj),se){let t=Xe?Ze[0]:Ze[e];t!=null&&mM(t,-10,-10,F,I)}}function hn(e,t,n){Zt(e,{min:t,max:n})}function gn(e,t,n,a){t.focus!=null&&Tn(e),t.show!=null&&v.forEach((n,r)=>{r>0&&(e==r||e==null)&&(n.show=t.show,mn(r),i==2?(hn(n.facets[0].scale,null,null),hn(n.facets[1].scale,null,null)):hn(n.scale,null,null),Jt())}),n!==!1&&G(`setSeries`,e,t),a&&nr(`setSeries`,r,e,t)}r.setSeries=gn;function _n(e,t){MN(x[e],t)}function vn(e,t){e.fill=Q(e.fill||null),e.dir=Z(e.dir,-1),t??=x.length,x.splice(t,0,e)}function yn(e){e==null?x.length=0:x.splice(e,1)}r.addBand=vn,r.setBand=_n,r.delBand=yn;function bn(e,t){v[e].alpha=t,se&&Ze[e]!=null&&(Ze[e].style.opacity=t),oe&&de[e]&&(de[e].style.opacity=t)}let xn,Sn,Cn,wn={focus:!0};function Tn(e){if(e!=Cn){let t=e==null,n=Je.alpha!=1;v.forEach((r,a)=>{if(i==1||a>0){let i=t||a==0||a==e;r._focus=t?null:i,n&&bn(a,i?1:Je.alpha)}}),Cn=e,n&&Jt()}}oe&&Ye&&xe(Yj,P,e=>{N._lock||(Ke(e),Cn!=null&&gn(null,wn,!0,$n.setSeries))});function En(e,t,n){let r=b[t];n&&(e=e/X-(r.ori==1?Ee:Te));let i=F;r.ori==1&&(i=I,e=i-e),r.dir==-1&&(e=i-e);let a=r._min,o=r._max,s=e/i,c=a+(o-a)*s,l=r.distr;return l==3?YM(10,c):l==4?$M(c,r.asinh):l==100?r.bwd(c):c}function Dn(e,n){return CM(En(e,S,n),t[0],lt,ut)}r.valToIdx=e=>CM(e,t[0]),r.posToIdx=Dn,r.posToVal=En,r.valToPos=(e,t,n)=>b[t].ori==0?a(e,b[t],n?Me:F,n?L:0):o(e,b[t],n?Ne:I,n?je:0),r.setCursor=(e,t,n)=>{V=e.left,cn=e.top,Fn(null,t,n)};function On(e,t){uM(fn,Vj,dn.left=e),uM(fn,Lj,dn.width=t)}function kn(e,t){uM(fn,zj,dn.top=e),uM(fn,Rj,dn.height=t)}let An=D.ori==0?On:kn,jn=D.ori==1?On:kn;function Mn(){if(oe&&M.live)for(let e=+(i==2);e<v.length;e++){if(e==0&&me)continue;let t=M.values[e],n=0;for(let r in t)fe[e][n++].firstChild.nodeValue=t[r]}}function Nn(e,t){if(e!=null&&(e.idxs?e.idxs.forEach((e,t)=>{ae[t]=e}):TN(e.idx)||ae.fill(e.idx),M.idx=ae[0]),oe&&M.live){for(let e=0;e<v.length;e++)(e>0||i==1&&!me)&&Pn(e,ae[e]);Mn()}ze=!1,t!==!1&&G(`setLegend`)}r.setLegend=Nn;function Pn(e,n){let i=v[e],a=e==0&&O==2?ft:t[e],o;me?o=i.values(r,e,n)??he:(o=i.value(r,n==null?null:a[n],e,n),o=o==null?he:{_:o}),M.values[e]=o}function Fn(e,n,a){on=V,sn=cn,[V,cn]=N.move(r,V,cn),N.left=V,N.top=cn,se&&(en&&mM(en,GM(V),0,F,I),B&&mM(B,0,GM(cn),F,I));let o,s=lt>ut;xn=tN,Sn=null;let c=D.ori==0?F:I,l=D.ori==1?F:I;if(V<0||ct==0||s){o=N.idx=null;for(let e=0;e<v.length;e++){let t=Ze[e];t!=null&&mM(t,-10,-10,F,I)}Ye&&gn(null,wn,!0,e==null&&$n.setSeries),M.live&&(ae.fill(o),ze=!0)}else{let e,n,a;i==1&&(e=D.ori==0?V:cn,n=En(e,S),o=N.idx=CM(n,t[0],lt,ut),a=k(t[0][o],D,c,0));let s=-10,u=-10,d=0,f=0,p=!0,m=``,h=``;for(let e=+(i==2);e<v.length;e++){let g=v[e],_=ae[e],y=_==null?null:i==1?t[e][_]:t[e][1][_],x=N.dataIdx(r,e,o,n),S=x==null?null:i==1?t[e][x]:t[e][1][x];if(ze=ze||S!=y||x!=_,ae[e]=x,e>0&&g.show){let n=x==null?-10:x==o?a:k(i==1?t[0][x]:t[e][0][x],D,c,0),_=S==null?-10:A(S,i==1?b[g.scale]:b[g.facets[1].scale],l,0);if(Ye&&S!=null){let t=D.ori==1?V:cn,n=UM(Je.dist(r,e,x,_,t));if(n<xn){let r=Je.bias;if(r!=0){let i=En(t,g.scale),a=S>=0?1:-1,o=i>=0?1:-1;o==a&&(o==1?r==1?S>=i:S<=i:r==1?S<=i:S>=i)&&(xn=n,Sn=e)}else xn=n,Sn=e}}if(ze||Xe){let t,i;D.ori==0?(t=n,i=_):(t=_,i=n);let a,o,c,l,g,v,y=!0,b=qe.bbox;if(b!=null){y=!1;let t=b(r,e);c=t.left,l=t.top,a=t.width,o=t.height}else c=t,l=i,a=o=qe.size(r,e);if(v=qe.fill(r,e),g=qe.stroke(r,e),Xe)e==Sn&&xn<=Je.prox&&(s=c,u=l,d=a,f=o,p=y,m=v,h=g);else{let t=Ze[e];t!=null&&(R[e]=c,Qe[e]=l,vM(t,a,o,y),gM(t,v,g),mM(t,KM(c),KM(l),F,I))}}}}if(Xe){let e=Je.prox;if(ze||(Cn==null?xn<=e:xn>e||Sn!=Cn)){let e=Ze[0];e!=null&&(R[0]=s,Qe[0]=u,vM(e,d,f,p),gM(e,m,h),mM(e,KM(s),KM(u),F,I))}}}if(dn.show&&ln){if(e!=null){let[t,n]=$n.scales,[r,i]=$n.match,[a,o]=e.cursor.sync.scales,s=e.cursor.drag;if(U=s._x,un=s._y,U||un){let{left:s,top:u,width:d,height:f}=e.select,p=e.scales[a].ori,m=e.posToVal,h,g,_,v,y,x=t!=null&&r(t,a),S=n!=null&&i(n,o);x&&U?(p==0?(h=s,g=d):(h=u,g=f),_=b[t],v=k(m(h,a),_,c,0),y=k(m(h+g,a),_,c,0),An(qM(v,y),UM(y-v))):An(0,c),S&&un?(p==1?(h=s,g=d):(h=u,g=f),_=b[n],v=A(m(h,o),_,l,0),y=A(m(h+g,o),_,l,0),jn(qM(v,y),UM(y-v))):jn(0,l)}else Vn()}else{let e=UM(on-tn),t=UM(sn-nn);if(D.ori==1){let n=e;e=t,t=n}U=H.x&&e>=H.dist,un=H.y&&t>=H.dist;let n=H.uni;n==null?H.x&&H.y&&(U||un)&&(U=un=!0):U&&un&&(U=e>=n,un=t>=n,!U&&!un&&(t>e?un=!0:U=!0));let r,i;U&&(D.ori==0?(r=rn,i=V):(r=an,i=cn),An(qM(r,i),UM(i-r)),un||jn(0,l)),un&&(D.ori==1?(r=rn,i=V):(r=an,i=cn),jn(qM(r,i),UM(i-r)),U||An(0,c)),!U&&!un&&(An(0,0),jn(0,0))}}if(H._x=U,H._y=un,e==null){if(a){if(er!=null){let[e,t]=$n.scales;$n.values[0]=e==null?null:En(D.ori==0?V:cn,e),$n.values[1]=t==null?null:En(D.ori==1?V:cn,t)}nr(Gj,r,V,cn,F,I,o)}if(Ye){let e=a&&$n.setSeries,t=Je.prox;Cn==null?xn<=t&&gn(Sn,wn,!0,e):xn>t?gn(null,wn,!0,e):Sn!=Cn&&gn(Sn,wn,!0,e)}}ze&&(M.idx=o,Nn()),n!==!1&&G(`setCursor`)}let In=null;Object.defineProperty(r,"rect",{get(){return In??Ln(!1),In}});function Ln(e=!1){e?In=null:(In=m.getBoundingClientRect(),G(`syncRect`,In))}function Rn(e,t,n,r,i,a,o){N._lock||ln&&e!=null&&e.movementX==0&&e.movementY==0||(zn(e,t,n,r,i,a,o,!1,e!=null),e==null?Fn(t,!0,!1):Fn(null,!0,!0))}function zn(e,t,n,i,a,o,c,l,u){if(In??Ln(!1),Ke(e),e!=null)n=e.clientX-In.left,i=e.clientY-In.top;else{if(n<0||i<0){V=-10,cn=-10;return}let[e,r]=$n.scales,c=t.cursor.sync,[l,u]=c.values,[d,f]=c.scales,[p,m]=$n.match,h=t.axes[0].side%2==1,g=D.ori==0?F:I,_=D.ori==1?F:I,v=h?o:a,y=h?a:o,x=h?i:n,S=h?n:i;if(n=d==null?x/v*g:p(e,d)?s(l,b[e],g,0):-10,i=f==null?S/y*_:m(r,f)?s(u,b[r],_,0):-10,D.ori==1){let e=n;n=i,i=e}}u&&(t==null||t.cursor.event.type==Gj)&&((n<=1||n>=F-1)&&(n=pN(n,F)),(i<=1||i>=I-1)&&(i=pN(i,I))),l?(tn=n,nn=i,[rn,an]=N.move(r,n,i)):(V=n,cn=i)}let Bn={width:0,height:0,left:0,top:0};function Vn(){pn(Bn,!1)}let Hn,Un,Wn,Gn;function Kn(e,t,n,i,a,o,s){ln=!0,U=un=H._x=H._y=!1,zn(e,t,n,i,a,o,s,!0,!1),e!=null&&(xe(qj,rM,qn,!1),nr(Kj,r,rn,an,F,I,null));let{left:c,top:l,width:u,height:d}=dn;Hn=c,Un=l,Wn=u,Gn=d}function qn(e,t,n,i,a,o,s){ln=H._x=H._y=!1,zn(e,t,n,i,a,o,s,!1,!0);let{left:c,top:l,width:u,height:d}=dn,f=u>0||d>0,p=Hn!=c||Un!=l||Wn!=u||Gn!=d;if(f&&p&&pn(dn),H.setScale&&f&&p){let e=c,t=u,n=l,r=d;if(D.ori==1&&(e=l,t=d,n=c,r=u),U&&hn(S,En(e,S),En(e+t,S)),un)for(let e in b){let t=b[e];e!=S&&t.from==null&&t.min!=tN&&hn(e,En(n+r,e),En(n,e))}Vn()}else N.lock&&(N._lock=!N._lock,Fn(t,!0,e!=null));e!=null&&(Se(qj,rM),nr(qj,r,V,cn,F,I,null))}function Jn(e,t,n,r,i,a,o){if(N._lock)return;Ke(e);let s=ln;if(ln){let e=!0,t=!0,n,r;D.ori==0?(n=U,r=un):(n=un,r=U),n&&r&&(e=V<=10||V>=F-10,t=cn<=10||cn>=I-10),n&&e&&(V=V<rn?0:F),r&&t&&(cn=cn<an?0:I),Fn(null,!0,!0),ln=!1}V=-10,cn=-10,ae.fill(null),Fn(null,!0,!0),s&&(ln=s)}function W(e,t,n,i,a,o,s){N._lock||(Ke(e),ht(),Vn(),e!=null&&nr(Xj,r,V,cn,F,I,null))}function Yn(){y.forEach(gI),Be(r.width,r.height,!0)}xM(eM,iM,Yn);let Xn={};Xn.mousedown=Kn,Xn.mousemove=Rn,Xn.mouseup=qn,Xn.dblclick=W,Xn.setSeries=(e,t,n,i)=>{let a=$n.match[2];n=a(r,t,n),n!=-1&&gn(n,i,!0,!1)},se&&(xe(Kj,m,Kn),xe(Gj,m,Rn),xe(Jj,m,e=>{Ke(e),Ln(!1)}),xe(Yj,m,Jn),xe(Xj,m,W),eI.add(r),r.syncRect=Ln);let Zn=r.hooks=e.hooks||{};function G(e,t,n){Gt?Kt.push([e,t,n]):e in Zn&&Zn[e].forEach(e=>{e.call(null,r,t,n)})}(e.plugins||[]).forEach(e=>{for(let t in e.hooks)Zn[t]=(Zn[t]||[]).concat(e.hooks[t])});let Qn=(e,t,n)=>n,$n=MN({key:null,setSeries:!1,filters:{pub:lN,sub:lN},scales:[S,v[1]?v[1].scale:null],match:[uN,uN,Qn],values:[null,null]},N.sync);$n.match.length==2&&$n.match.push(Qn),N.sync=$n;let er=$n.key,tr=xF(er);function nr(e,t,n,r,i,a,o){$n.filters.pub(e,t,n,r,i,a,o)&&tr.pub(e,t,n,r,i,a,o)}tr.sub(r);function rr(e,t,n,r,i,a,o){$n.filters.sub(e,t,n,r,i,a,o)&&Xn[e](null,t,n,r,i,a,o)}r.pub=rr;function ir(){tr.unsub(r),eI.delete(r),be.clear(),SM(eM,iM,Yn),l.remove(),P?.remove(),G(`destroy`)}r.destroy=ir;function ar(){G(`init`,e,t),mt(t||e.data,!1),j[S]?Zt(S,j[S]):ht(),Re=dn.show&&(dn.width>0||dn.height>0),Le=ze=!0,Be(e.width,e.height)}return v.forEach(et),y.forEach(it),n?n instanceof HTMLElement?(n.appendChild(l),ar()):n(r,ar):ar(),r}_I.assign=MN,_I.fmtNum=BM,_I.rangeNum=IM,_I.rangeLog=AM,_I.rangeAsinh=jM,_I.orient=wF,_I.pxRatio=X,_I.join=LN,_I.fmtDate=XN,_I.tzDate=QN,_I.sync=xF;{_I.addGap=kF,_I.clipGaps=OF;let e=_I.paths={points:UF};e.linear=qF,e.stepped=JF,e.bars=XF,e.spline=QF}var vI=1200,yI=e=>(t,n)=>xI(t.progress,t.breaks,n,t=>t[e]);function bI(e){let t=[{key:`loss`,title:`Training loss`,unit:`a pair with its negatives`,curve:yI(`loss`)},{key:`held-out`,title:`Held-out loss`,unit:`a pair with its negatives`,curve:(e,t)=>xI(e.evaluations,e.breaks,t,e=>e.heldOut)}];for(let n of new Set(e.flatMap(e=>e.sets)))t.push({key:`set:${n}`,title:`Score on ${n}`,unit:`Spearman’s correlation or accuracy`,curve:(e,t)=>xI(e.evaluations,e.breaks,t,e=>e.scores.get(n)??null)});return t.push({key:`speed`,title:`Speed`,unit:`tokens a second`,curve:yI(`speed`)},{key:`rate`,title:`Learning rate`,unit:``,curve:yI(`rate`)}),t.filter(t=>e.some(e=>t.curve(e,`tokens`).y.some(e=>e!==null)))}function xI(e,t,n,r){let i=[];for(let t of e){let e=r(t);e!==null&&i.push({x:t[n],y:e,tokens:t.tokens})}let a={x:[],y:[]},o=0;for(let e of SI(i,vI)){let n=!1;for(let r=t[o];r&&r.tokens<e.tokens;r=t[++o])n=!0;let r=a.x.at(-1);n&&r!==void 0&&(a.x.push((r+e.x)/2),a.y.push(null)),a.x.push(e.x),a.y.push(e.y)}return a}function SI(e,t){if(e.length<=t)return e;let n=Math.floor(t/2),r=[];for(let t=0;t<n;t++){let i=Math.floor(t*e.length/n),a=Math.floor((t+1)*e.length/n),[o,s]=[i,i];for(let t=i+1;t<a;t++)e[t].y<e[o].y&&(o=t),e[t].y>e[s].y&&(s=t);for(let t of new Set([Math.min(o,s),Math.max(o,s)]))r.push(e[t])}return r}function CI(e,t,n){let r=e.tokens;if(r===0||n<1)return[];let i=t.map(t=>t.curve(e,`tokens`)),a=[];for(let t=1;t<=n;t++){let o=Math.round(r*t/n),s=i.map(e=>wI(e,o)),c=e.progress.filter(e=>e.tokens<=o).at(-1)?.seconds??0;s.some(e=>e!==null)&&a.push({tokens:o,seconds:c,values:s})}return a}function wI(e,t){let n=null;for(let r=0;r<e.x.length&&e.x[r]<=t;r++)n=e.y[r]??n;return n}var TI=20;function EI({name:e,log:t,shown:n}){let r=CI(t,n,TI);return Y(`div`,{class:`scroll`,tabIndex:0,role:`region`,"aria-label":`Curves of ${e}`,children:Y(`table`,{class:`table`,children:[Y(`caption`,{children:e}),Y(`thead`,{children:Y(`tr`,{children:[Y(`th`,{scope:`col`,class:`right`,children:`Tokens`}),Y(`th`,{scope:`col`,class:`right`,children:`Time`}),n.map(e=>Y(`th`,{scope:`col`,class:`right`,children:e.title},e.key))]})}),Y(`tbody`,{children:r.map(e=>Y(`tr`,{children:[Y(`th`,{scope:`row`,class:`right`,children:rA(e.tokens)}),Y(`td`,{class:`right`,children:oA(e.seconds)}),e.values.map((e,t)=>Y(`td`,{class:`right`,children:DI(n[t],e)},n[t]?.key))]},e.tokens))})]})})}function DI(e,t){return e?.key===`speed`?rA(t):iA(t,e?.key===`rate`?4:3)}var OI=6,kI=[[],[7,4],[2,3],[9,3,2,3]];function AI(e){return kI[e%kI.length]??[]}function jI(e){return`series-${e%OI}`}function MI({series:e}){return Y(`svg`,{class:`swatch ${jI(e)}`,viewBox:`0 0 22 10`,"aria-hidden":`true`,focusable:`false`,children:Y(`path`,{d:`M0 5h22`,"stroke-dasharray":AI(e).join(` `)})})}var NI=200,PI=25,FI=new Set([`speed`,`rate`]);function II({quantity:e,runs:t,abscissa:n}){let r=zt(null),i=zt(null),[a,o]=z(null),s=t.map(t=>e.curve(t.log,n)),c=Bt(()=>LI(s),[s.map(e=>`${e.x.length} ${e.x.at(-1)} ${e.y.at(-1)}`).join()]);return Rt(()=>{let a=r.current;if(!a)return;let s=new _I(RI(a,e,t,n,o),c,a);i.current=s;let l=new ResizeObserver(()=>s.setSize({width:a.clientWidth,height:NI}));return l.observe(a),()=>{l.disconnect(),s.destroy(),i.current=null}},[JSON.stringify([t.map(e=>[e.name,e.series]),n,Qi.value]),e.key]),Rt(()=>i.current?.setData(c),[c]),Y(`figure`,{class:`chart`,children:[Y(`figcaption`,{children:[Y(`h3`,{children:e.title}),Y(`span`,{class:`note`,children:a===null?e.unit:VI(e,t,s,n,a)})]}),Y(`div`,{ref:r,class:`chart-plot`,role:`img`,"aria-label":UI(e,t,s)})]})}function LI(e){return e.length===0?[[]]:_I.join(e.map(e=>[e.x,e.y]))}function RI(e,t,n,r,i){let a=getComputedStyle(e),o=e=>a.getPropertyValue(e).trim(),s=`11px ${o(`--font`)}`,c={stroke:o(`--text-2`),font:s,grid:{stroke:o(`--line`),width:1},ticks:{stroke:o(`--line`),width:1,size:4}};return{width:Math.max(e.clientWidth,100),height:NI,legend:{show:!1},cursor:{y:!1,points:{size:6},sync:{key:`training`},drag:{x:!0,y:!1}},scales:{x:{time:!1},y:FI.has(t.key)?{range:(e,t,n)=>[0,n*1.06||1]}:{}},axes:[{...c,size:28,space:64,values:(e,t)=>t.map(e=>r===`tokens`?rA(e):oA(e))},{...c,size:52,values:(e,n)=>n.map(e=>t.key===`speed`?rA(e):String(Number(e.toPrecision(6))))}],series:[{},...n.map(({name:t,series:n})=>({label:t,stroke:zI(e,n),width:1.75,dash:AI(n),points:{show:(e,t)=>(e.data[t]??[]).filter(e=>typeof e==`number`).length<PI,size:5,fill:zI(e,n)}}))],hooks:{setCursor:[e=>i(e.cursor.left===void 0||e.cursor.left<0?null:e.posToVal(e.cursor.left,`x`))],draw:[e=>BI(e,n,r,o(`--line-strong`))]}}}function zI(e,t){return getComputedStyle(e).getPropertyValue(`--${jI(t)}`).trim()}function BI(e,t,n,r){let{ctx:i,bbox:a}=e;i.save(),i.strokeStyle=r,i.lineWidth=devicePixelRatio,i.setLineDash([3*devicePixelRatio,3*devicePixelRatio]);for(let{log:r}of t)for(let t of r.breaks){let r=Math.round(e.valToPos(t[n],`x`,!0));r<a.left||r>a.left+a.width||(i.beginPath(),i.moveTo(r,a.top),i.lineTo(r,a.top+a.height),i.stroke())}i.restore()}function VI(e,t,n,r,i){let a=t.map((r,a)=>{let o=HI(n[a],i);return t.length===1?DI(e,o):`${r.name} ${DI(e,o)}`});return`at ${r===`tokens`?`${rA(Math.round(i))} tokens`:oA(i)}: ${a.join(`, `)}`}function HI(e,t){if(!e||t>(e.x.at(-1)??-1))return null;let[n,r]=[0,e.x.length];for(;n<r;){let i=n+r>>1;e.x[i]<=t?n=i+1:r=i}return e.y[n-1]??null}function UI(e,t,n){let r=t.flatMap((t,r)=>{let i=(n[r]?.y??[]).filter(e=>e!==null),[a,o]=[i[0],i.at(-1)];return a===void 0||o===void 0?[]:[`${t.name} from ${DI(e,a)} to ${DI(e,o)}`]});return`Chart of ${e.title}: ${r.join(`; `)}`}function WI({runs:e,hidden:t,toggle:n}){let r=[...new Set(e.flatMap(e=>e.log.sets))],i=e.some(({log:e})=>e.evaluations.some(e=>e.heldOut!==null));return Y(`div`,{class:`scroll`,tabIndex:0,role:`region`,"aria-label":`Table of runs`,children:Y(`table`,{class:`table`,children:[Y(`thead`,{children:Y(`tr`,{children:[Y(`th`,{scope:`col`,children:`Run`}),Y(`th`,{scope:`col`,children:`State`}),Y(`th`,{scope:`col`,class:`right`,children:`Tokens`}),Y(`th`,{scope:`col`,class:`right`,children:`Time`}),Y(`th`,{scope:`col`,class:`right`,children:`Loss`}),i&&Y(`th`,{scope:`col`,class:`right`,children:`Held-out loss`}),r.map(e=>Y(`th`,{scope:`col`,class:`right`,children:e},e)),Y(`th`,{scope:`col`,class:`right`,children:`Tokens a second`})]})}),Y(`tbody`,{children:e.map(({name:e,log:a},o)=>Y(`tr`,{children:[Y(`th`,{scope:`row`,children:Y(`label`,{class:`run-choice`,children:[Y(`input`,{type:`checkbox`,checked:!t.has(e),onChange:()=>n(e)}),Y(MI,{series:o}),Y(`span`,{class:`wrap`,children:e})]})}),Y(`td`,{children:[Y(`span`,{class:`state-mark ${a.state}`,children:a.state}),a.state===`running`&&a.eta!==null&&Y(`div`,{class:`note`,children:[oA(a.eta),` left`]}),GI(a)]}),Y(`td`,{class:`right`,title:`${tA(a.tokens)} of ${tA(a.total)}`,children:[rA(a.tokens),a.total?Y(`div`,{class:`note`,children:aA(a.tokens/a.total)}):null]}),Y(`td`,{class:`right`,children:oA(a.seconds)}),Y(`td`,{class:`right`,children:iA(a.finalLoss??qI(a.progress,e=>e.loss))}),i&&Y(`td`,{class:`right`,children:[iA(qI(a.evaluations,e=>e.heldOut)),Y(KI,{log:a})]}),r.map(e=>Y(`td`,{class:`right`,children:iA(qI(a.evaluations,t=>t.scores.get(e)??null))},e)),Y(`td`,{class:`right`,children:rA(qI(a.progress,e=>e.speed))})]},e))})]})})}function GI(e){let t=e.breaks.filter(e=>e.kind===`resumed`).length;return t===0?null:Y(`div`,{class:`note`,children:t===1?`resumed once`:`resumed ${t} times`})}function KI({log:e}){let t=e.evaluations.map(e=>e.heldOut).filter(e=>e!==null),n=Math.min(...t),r=t.at(-1);return r===void 0||n>=r?null:Y(`div`,{class:`note`,children:[`best `,iA(n)]})}function qI(e,t){for(let n=e.length-1;n>=0;n--){let r=t(e[n]);if(r!==null)return r}return null}var JI=class{state=`waiting`;started=null;total=null;words=null;eta=null;progress=[];evaluations=[];breaks=[];notes=[];error=null;finalLoss=null;output=null;checkpoints=0;unknown=0;secondsBefore=0;lastSeconds=0;get tokens(){return Math.max(this.progress.at(-1)?.tokens??0,this.evaluations.at(-1)?.tokens??0)}get seconds(){return this.lastSeconds}get sets(){let e=new Set;for(let t of this.evaluations)for(let n of t.scores.keys())e.add(n);return[...e]}add(e){switch(e.event){case`start`:return this.start(e);case`progress`:return this.addProgress(e);case`evaluation`:return this.addEvaluation(e);case`divergence`:return this.diverge(e);case`checkpoint`:e.error?this.notes.push(`A checkpoint could not be written: ${String(e.error)}`):this.checkpoints++;return;case`note`:this.notes.push(String(e.text??``));return;case`done`:return this.end(e);case`failed`:this.state=`failed`,this.error=String(e.error??``),this.eta=null;return;default:this.unknown++}}start(e){let t=YI(e.tokens)??0;e.resumed===!0?(this.secondsBefore=this.lastSeconds,this.dropAfter(t),this.breaks.push({kind:`resumed`,tokens:t,seconds:this.secondsBefore})):(this.secondsBefore=this.lastSeconds=0,this.progress=[],this.evaluations=[],this.breaks=[],this.notes=[],this.checkpoints=0),(this.started===null||e.resumed!==!0)&&(this.started=XI(e.time)),this.state=`running`,this.error=this.output=this.finalLoss=this.eta=null,this.total=YI(e.total),this.words=YI(e.words)}addProgress(e){let t=YI(e.tokens);if(t===null)return;this.total=YI(e.total)??this.total,this.eta=YI(e.eta);let n=this.progress.at(-1),r=e.final===!0;if(r&&(this.finalLoss=YI(e.loss)),n&&t<=n.tokens)return;let i=r&&!n;this.progress.push({tokens:t,seconds:this.clock(e),rate:YI(e.lr),loss:r&&!i?null:YI(e.loss),speed:r&&!i?null:YI(e.tokens_per_second_now)})}addEvaluation(e){let t=YI(e.tokens);if(t===null)return;let n=new Map;if(Array.isArray(e.scores))for(let t of e.scores){if(typeof t!=`object`||!t)continue;let{set:e,score:r}=t,i=YI(r);typeof e==`string`&&i!==null&&n.set(e,i)}let r=this.evaluations.at(-1);r&&t<=r.tokens&&this.evaluations.pop(),this.evaluations.push({tokens:t,seconds:this.clock(e),heldOut:YI(e.held_out_loss),scores:n,best:e.best===!0})}diverge(e){let t=YI(e.back_to)??0;this.dropAfter(t),this.breaks.push({kind:`diverged`,tokens:t,seconds:this.lastSeconds}),this.notes.push(`Training diverged and went back; the learning rate was halved.`)}end(e){if(this.state=e.complete===!1?`interrupted`:`finished`,this.error=XI(e.error)||null,this.output=XI(e.output)||null,this.finalLoss=YI(e.loss)??this.finalLoss,this.eta=null,Array.isArray(e.remarks))for(let t of e.remarks){let e=typeof t==`object`&&t?t.text:void 0;typeof e==`string`&&!this.notes.includes(e)&&this.notes.push(e)}}dropAfter(e){this.progress=this.progress.filter(t=>t.tokens<=e),this.evaluations=this.evaluations.filter(t=>t.tokens<=e),this.breaks=this.breaks.filter(t=>t.tokens<=e)}clock(e){return this.lastSeconds=Math.max(this.lastSeconds,this.secondsBefore+(YI(e.elapsed)??0)),this.lastSeconds}};function YI(e){return typeof e==`number`&&Number.isFinite(e)?e:null}function XI(e){return typeof e==`string`?e:null}var ZI=300;function QI(e,t,n){let r=t.map(e=>({name:e,log:new JI,error:null})),i=null,a=()=>{i??=setTimeout(()=>{i=null,n([...r])},ZI)},o=r.map(t=>e.run(t.name,{record:e=>{t.log.add(e),a()},restarted:()=>{t.log=new JI,a()},end:e=>{t.error=e?.message??null,a()}}));return n([...r]),()=>{i!==null&&clearTimeout(i);for(let e of o)e.close()}}var $I=6;function eL(){let e=lj(),[t,n]=z(Jn);return Rt(()=>{let t=new AbortController;return e.runs(t.signal).then(e=>n({state:`ready`,value:e}),e=>!t.signal.aborted&&n({state:`failed`,error:e})),()=>t.abort()},[e]),Y(`div`,{class:`report`,children:[Y(`h2`,{children:`Training`}),Y(HA,{load:t,children:e=>e.length>0?Y(tL,{names:e.map(e=>e.name)}):Y(`p`,{children:`No logs were given. Write one with w2v train --log-json run.jsonl, and start the server with --log run.jsonl, before or after.`})})]})}function tL({names:e}){let t=lj(),[n,r]=z([]),[i,a]=z(()=>new Set(e.slice($I))),[o,s]=z(`tokens`);Rt(()=>QI(t,e,r),[t,e.join(`
`)]);let c=e=>{let t=new Set(i);t.delete(e)||t.add(e),a(t)},l=n.flatMap(({name:e,log:t},n)=>i.has(e)?[]:[{name:e,log:t,series:n}]),u=bI(l.map(e=>e.log));return Y(R,{children:[Y(WI,{runs:n,hidden:i,toggle:c}),Y(`div`,{class:`visually-hidden`,role:`status`,children:n.map(e=>`${e.name} ${e.log.state}`).join(`, `)}),Y(`fieldset`,{class:`segmented start`,children:[Y(`legend`,{class:`visually-hidden`,children:`The curves go along`}),[`tokens`,`seconds`].map(e=>Y(`label`,{children:[Y(`input`,{type:`radio`,name:`abscissa`,checked:o===e,onChange:()=>s(e)}),Y(`span`,{children:e===`tokens`?`By tokens`:`By time`})]},e))]}),u.length===0&&Y(`p`,{class:`note`,children:l.length>0?`There is nothing to draw yet.`:`No run is chosen.`}),Y(`div`,{class:`charts`,children:u.map(e=>Y(II,{quantity:e,runs:l,abscissa:o},e.key))}),u.length>0&&Y(`details`,{class:`disclosure`,children:[Y(`summary`,{children:`The curves as tables`}),l.map(e=>Y(EI,{name:e.name,log:e.log,shown:u},e.name))]}),Y(nL,{runs:n})]})}function nL({runs:e}){let t=e.filter(({log:e,error:t})=>e.notes.length>0||e.error||t);return t.length===0?null:Y(`section`,{children:[Y(`h3`,{children:`Remarks`}),t.map(({name:e,log:t,error:n})=>Y(`ul`,{class:`remarks`,"aria-label":`Remarks of ${e}`,children:[[n,t.error].map((t,n)=>t&&Y(`li`,{class:`failed wrap`,children:`${e}: ${t}`},`error ${n}`)),t.notes.map((t,n)=>Y(`li`,{class:`wrap`,children:`${e}: ${t}`},n))]},e))]})}function rL(e){let t=[],n=0;return e.forEach((e,r)=>{e.records.forEach((i,a)=>{let o=iL(i,e.file,`${r}.${a}`);o?t.push(o):n++})}),{results:t,skipped:n}}function iL(e,t,n){let r=pL(e),{set:i,task:a,metric:o}=r;if(typeof i!=`string`||typeof a!=`string`||typeof o!=`string`)return null;let s=_L(r.runs);if(s===null&&!(`score`in r))return null;let c=aL(r,s),l=pL(r.result);return{key:n,file:t,...c,set:i,setChecksum:gL(pL(r.set_file).sha256),task:a,metric:o,score:_L(s===null?r.score:r.mean),interval:vL(r.interval),items:_L(r.items),used:_L(r.used),composed:_L(r.composed)??0,missing:hL(r.missing),notes:hL(r.notes),runs:s,sections:mL(l.sections??l.clusters??l.relations??l.tests).flatMap(sL),bands:mL(r.bands).flatMap(sL),byWords:mL(r.by_words).flatMap(sL),conventions:Object.entries(pL(r.conventions)).flatMap(([e,t])=>sL({name:e.replaceAll(`_`,` `),...pL(t)})),settings:cL(r)}}function aL(e,t){if(t!==null){let n=mL(e.model_files).map(oL).filter(e=>e!==``);return{model:n.length>0?n.join(`, `):`${t} models`,checksum:``}}let n=pL(e.model_file);return{model:oL(n)||`unnamed model`,checksum:gL(n.sha256)}}function oL(e){return gL(pL(mL(pL(e).files)[0]).path).split(/[/\\]/).at(-1)??``}function sL(e){let t=pL(e);if(typeof t.name!=`string`)return[];let n=[`score`,`accuracy`,`spearman`,`effect_size`,`purity`].map(e=>_L(t[e])).find(e=>e!==null);return[{name:t.name,score:n??null,interval:vL(t.interval??t.ci95),used:_L(t.used),items:_L(t.items??t.questions??t.tests)}]}function cL(e){let t=[];for(let[n,r]of Object.entries(pL(e.settings)))if(typeof r==`object`&&r)for(let[e,n]of Object.entries(r))t.push([e,lL(n)]);else t.push([n,lL(r)]);return typeof e.w2v_version==`string`&&t.push([`w2v version`,e.w2v_version]),t.map(([e,t])=>[e.replaceAll(`_`,` `),t])}function lL(e){return typeof e==`boolean`?e?`yes`:`no`:typeof e==`string`?e:JSON.stringify(e)??``}function uL(e){let[t,n]=[0,0];for(let{score:r,interval:i}of e)for(let e of[r,i?.low,i?.high])typeof e==`number`&&(t=Math.min(t,e),n=Math.max(n,e));return n<=1&&(n=1),{low:Math.floor(t*10)/10,high:Math.ceil(n*10)/10}}function dL(e){let t=new Map;for(let n of e){let e=JSON.stringify([n.task,n.metric,n.set,n.setChecksum]),r=t.get(e)??{key:e,task:n.task,set:n.set,metric:n.metric,results:[]};r.results.push(n),t.set(e,r)}return[...t.values()]}function fL(e){let t=e.filter(e=>e.score!==null);if(t.length<2)return null;let n=t.reduce((e,t)=>t.score>e.score?t:e);return t.every(e=>e===n||n.interval!==null&&e.interval!==null&&e.interval.high<n.interval.low)?n:null}function pL(e){return typeof e==`object`&&e&&!Array.isArray(e)?e:{}}function mL(e){return Array.isArray(e)?e:[]}function hL(e){return mL(e).filter(e=>typeof e==`string`)}function gL(e){return typeof e==`string`?e:``}function _L(e){return typeof e==`number`&&Number.isFinite(e)?e:null}function vL(e){if(!Array.isArray(e)||e.length!==2)return null;let[t,n]=[_L(e[0]),_L(e[1])];return t===null||n===null?null:{low:t,high:n}}function yL({score:e,interval:t,range:n}){let r=e=>`${100*(Math.min(Math.max(e,n.low),n.high)-n.low)/(n.high-n.low)}%`,i=(e,t)=>`${100*Math.abs(t-e)/(n.high-n.low)}%`,a=t&&Y(`g`,{class:`interval`,children:[Y(`line`,{x1:r(t.low),x2:r(t.high),y1:`11`,y2:`11`}),Y(`line`,{x1:r(t.low),x2:r(t.low),y1:`7`,y2:`15`}),Y(`line`,{x1:r(t.high),x2:r(t.high),y1:`7`,y2:`15`})]});return Y(`svg`,{class:`score-bar`,"aria-hidden":`true`,focusable:`false`,children:[Y(`rect`,{class:`track`,x:`0`,y:`4`,width:`100%`,height:`14`,rx:`3`}),e!==null&&Y(`rect`,{class:`value`,x:r(Math.min(0,e)),y:`4`,width:i(0,e),height:`14`}),Y(`line`,{class:`zero`,x1:r(0),x2:r(0),y1:`2`,y2:`20`}),a]})}function bL({sets:e,names:t,nameOf:n}){return Y(`div`,{class:`scroll`,tabIndex:0,role:`region`,"aria-label":`Table of all scores`,children:Y(`table`,{class:`table`,children:[Y(`thead`,{children:Y(`tr`,{children:[Y(`th`,{scope:`col`,children:`Set`}),Y(`th`,{scope:`col`,children:`Score`}),t.map(e=>Y(`th`,{scope:`col`,class:`right`,children:e},e))]})}),Y(`tbody`,{children:e.map(e=>{let r=fL(e.results);return Y(`tr`,{children:[Y(`th`,{scope:`row`,class:`wrap`,children:e.set}),Y(`td`,{children:SL(e.metric)}),t.map(t=>{let i=e.results.findLast(e=>n(e)===t);return Y(`td`,{class:`right`,children:[i&&i===r?Y(`strong`,{children:iA(i.score)}):iA(i?.score),i?.interval&&Y(`span`,{class:`note`,children:[` [`,iA(i.interval.low),`, `,iA(i.interval.high),`]`]})]},t)})]},e.key)})})]})})}var xL=new Map([[`spearman`,`Spearman’s ρ`],[`effect_size`,`effect size`]]);function SL(e){return xL.get(e)??e.replaceAll(`_`,` `)}function CL({set:e,nameOf:t,seriesOf:n}){let r=uL(e.results),i=fL(e.results);return Y(`article`,{class:`score-set`,children:[Y(`h4`,{children:[Y(`span`,{class:`wrap`,children:e.set}),Y(`span`,{class:`note`,children:SL(e.metric)})]}),e.results.map(e=>Y(`div`,{class:jI(n(e)),children:[Y(wL,{name:t(e),note:TL(e),part:e,range:r,best:e===i}),Y(EL,{result:e,name:t(e)})]},e.key))]})}function wL({name:e,note:t,part:n,range:r,best:i}){return Y(`div`,{class:`score-line`,children:[Y(`div`,{children:[Y(`span`,{class:`wrap`,children:e}),` `,i&&Y(`span`,{class:`tag`,children:`clearly best`}),t&&Y(`div`,{class:`note`,children:t})]}),Y(yL,{score:n.score,interval:n.interval,range:r}),Y(`div`,{class:`number`,children:[iA(n.score),n.interval&&` [${iA(n.interval.low)}, ${iA(n.interval.high)}]`]})]})}function TL({used:e,items:t,composed:n,runs:r}){let i=[];return r!==null&&i.push(`mean of ${r} models`),e!==null&&t!==null&&t>0&&i.push(`${tA(e)} of ${tA(t)} used, ${aA(e/t)}`),n>0&&i.push(`${tA(n)} with composed words`),i.join(` · `)}function EL({result:e,name:t}){let[n,r]=z(!1);return Y(`details`,{class:`disclosure`,open:n,onToggle:e=>r(e.currentTarget.open),children:[Y(`summary`,{children:[`Details`,Y(`span`,{class:`visually-hidden`,children:[` of `,t,` on `,e.set]}),e.missing.length>0&&`, ${tA(e.missing.length)} missing words`]}),n&&Y(`div`,{class:`score-details`,children:[Y(DL,{title:`Parts`,parts:e.sections}),Y(DL,{title:`By the rank of the rarest word`,parts:e.bands}),Y(DL,{title:`By words`,parts:e.byWords}),Y(DL,{title:`Conventions about missing words`,parts:e.conventions}),Y(AL,{words:e.missing}),e.notes.length>0&&Y(`section`,{children:[Y(`h5`,{children:`Notes`}),e.notes.map((e,t)=>Y(`p`,{class:`note wrap`,children:e},t))]}),Y(jL,{result:e})]})]})}function DL({title:e,parts:t}){let n=t.filter(e=>e.score!==null);if(n.length===0)return null;let r=uL(n),i=t.length-n.length;return Y(`section`,{children:[Y(`h5`,{children:e}),n.map((e,t)=>Y(wL,{name:e.name,note:OL(e),part:e,range:r},t)),i>0&&Y(`p`,{class:`note`,children:i===1?`One part has no score.`:`${i} parts have no score.`})]})}function OL({used:e,items:t}){if(e!==null&&t!==null)return`${tA(e)} of ${tA(t)}`;let n=e??t;return n===null?``:`${tA(n)} items`}var kL=60;function AL({words:e}){let[t,n]=z(!1);return e.length===0?null:Y(`section`,{children:[Y(`h5`,{children:[`Words without a vector (`,tA(e.length),`)`]}),Y(`p`,{class:`wrap note`,children:(t?e:e.slice(0,kL)).join(`, `)}),!t&&e.length>kL&&Y(`button`,{type:`button`,class:`button`,onClick:()=>n(!0),children:[`Show all `,tA(e.length)]})]})}function jL({result:e}){let t=[...e.settings];return e.setChecksum&&t.push([`set’s sha256`,e.setChecksum]),e.checksum&&t.push([`model’s sha256`,e.checksum]),t.length===0?null:Y(`section`,{children:[Y(`h5`,{children:`Settings`}),Y(`table`,{class:`table`,children:Y(`tbody`,{children:t.map(([e,t],n)=>Y(`tr`,{children:[Y(`th`,{scope:`row`,children:e}),Y(`td`,{class:`wrap`,children:t})]},n))})})]})}function ML(){let e=lj(),[t,n]=z(Jn);return Rt(()=>{let t=new AbortController;return e.evaluations(t.signal).then(e=>n({state:`ready`,value:e}),e=>!t.signal.aborted&&n({state:`failed`,error:e})),()=>t.abort()},[e]),Y(`div`,{class:`report`,children:[Y(`h2`,{children:`Evaluation`}),Y(HA,{load:t,children:e=>Y(PL,{files:e})})]})}function NL(e,t){return t?`${e.model} (${e.file})`:e.model}function PL({files:e}){let{results:t,skipped:n}=Bt(()=>rL(e),[e]),r=Bt(()=>{let e=new Map;for(let n of t)e.set(n.model,(e.get(n.model)??new Set).add(n.file));return new Map(t.map(t=>[t.key,NL(t,(e.get(t.model)?.size??0)>1)]))},[t]),i=[...new Set(r.values())],[a,o]=z(new Set);if(t.length===0)return Y(`p`,{children:e.length===0?`No results were given. Write them with w2v eval MODEL SETS --json > scores.jsonl, and start the server with --scores scores.jsonl.`:`The files hold no results of w2v eval --json.`});let s=dL(t.filter(e=>!a.has(r.get(e.key)??``))),c=e=>i.indexOf(r.get(e.key)??``),l=e=>{let t=new Set(a);t.delete(e)||t.add(e),o(t)};return Y(R,{children:[Y(`p`,{class:`note`,children:[`Whiskers and brackets are 95 % intervals. `,n>0&&`${n} records are no results of an evaluation, and are left out.`]}),i.length>1&&Y(`fieldset`,{class:`choices`,children:[Y(`legend`,{class:`visually-hidden`,children:`Models that are shown`}),i.map((e,t)=>Y(`label`,{class:`run-choice ${jI(t)}`,children:[Y(`input`,{type:`checkbox`,checked:!a.has(e),onChange:()=>l(e)}),Y(`span`,{class:`patch`,"aria-hidden":`true`}),Y(`span`,{class:`wrap`,children:e})]},e))]}),Y(bL,{sets:s,names:i.filter(e=>!a.has(e)),nameOf:e=>r.get(e.key)??``}),[...new Set(s.map(e=>e.task))].map(e=>Y(`section`,{"aria-label":e,class:`score-task`,children:[Y(`h3`,{children:IL(e)}),s.filter(t=>t.task===e).map(e=>Y(CL,{set:e,nameOf:e=>r.get(e.key)??``,seriesOf:c},e.key))]},e))]})}var FL=new Map([[`similarity`,`Word similarity`],[`analogy`,`Analogies`],[`relation`,`Relations of pairs`],[`categorization`,`Categories`],[`outliers`,`Outliers`],[`bias`,`Associations (WEAT)`],[`sentences`,`Sentence similarity`]]);function IL(e){return FL.get(e)??e}function LL(e,t,n=`text/plain`){let r=URL.createObjectURL(new Blob([t],{type:n})),i=document.createElement(`a`);i.href=r,i.download=e,i.click(),setTimeout(()=>URL.revokeObjectURL(r),1e4)}async function RL(e){try{return await navigator.clipboard.writeText(e),!0}catch{let t=document.createElement(`textarea`);t.value=e,t.className=`visually-hidden`,document.body.append(t),t.select();let n=document.execCommand(`copy`);return t.remove(),n}}var zL=300,BL=new Intl.NumberFormat(`en`);function VL(){let[e,t]=z(``),n=mr.value,r=W(G.value)?.words??[],i=()=>n.map(e=>`${r[e]??``}\n`).join(``),a=async()=>t(await RL(i())?`Copied.`:`The browser refused to copy.`);return Y(R,{children:[Y(`header`,{class:`panel-head`,children:[Y(`h2`,{children:`Selection`}),n.length>0&&Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Clear the selection`,onClick:Vr,children:Y(DA,{name:`close`})})]}),Y(`button`,{type:`button`,class:`button`,"aria-pressed":hr.value,onClick:()=>hr.value=!hr.value,children:[Y(DA,{name:`selection`}),` `,hr.value?`Draw around words on the map`:`Lasso`]}),Y(HL,{}),n.length===0?Y(`p`,{class:`note`,children:`Draw around words: hold Shift and drag, or press Lasso first. Or choose a cluster above.`}):Y(R,{children:[Y(`div`,{class:`row`,children:[Y(`p`,{children:[Y(`strong`,{children:BL.format(n.length)}),` `,n.length===1?`word`:`words`]}),Y(`button`,{type:`button`,class:`button`,onClick:()=>void a(),children:[Y(DA,{name:`copy`}),` Copy`]}),Y(`button`,{type:`button`,class:`button`,onClick:()=>LL(`${Xn.value}-words.txt`,i()),children:[Y(DA,{name:`download`}),` Download`]})]}),Y(`p`,{class:`note`,role:`status`,children:e}),Y(`ul`,{class:`words`,"aria-label":`Selected words`,onPointerLeave:()=>or.value=-1,children:n.slice(0,zL).map(e=>Y(`li`,{children:Y(`button`,{type:`button`,class:`chip`,onClick:()=>Ar(r[e]??``),onPointerEnter:()=>or.value=e,onFocus:()=>or.value=e,children:r[e]})},e))}),n.length>zL&&Y(`p`,{class:`note`,children:[BL.format(n.length-zL),` more are copied and downloaded.`]})]})]})}function HL(){let e=er.value,t=e?.info.clusters??[];return!e||t.length===0?null:Y(`label`,{class:`field`,children:[Y(`span`,{class:`label`,children:`Cluster`}),Y(`select`,{value:``,onChange:e=>Br(Number(e.currentTarget.value)),children:[Y(`option`,{value:``,disabled:!0,children:`Select a cluster…`}),t.map(e=>Y(`option`,{value:e.id,children:[e.label,` (`,BL.format(e.size),`)`]},e.id))]})]})}var UL=8;function WL(){let e=W(ar.value);if(!e?.composed||!e.parts||e.parts.length===0)return null;let t=[...e.parts].sort((e,t)=>t.share-e.share);return Y(`section`,{class:`composition`,"aria-labelledby":`composition`,children:[Y(`h3`,{id:`composition`,children:[`Composed of `,t.length===1?`one part`:`${t.length} parts`]}),Y(`p`,{class:`note`,children:`The model does not know this word. The bars say how much of its vector each part gives.`}),Y(GL,{parts:t.slice(0,UL),longest:t[0]?.share??1,label:`Parts of ${e.word}`}),t.length>UL&&Y(`details`,{class:`disclosure`,children:[Y(`summary`,{children:[t.length-UL,` more parts`]}),Y(GL,{parts:t.slice(UL),longest:t[0]?.share??1,label:`More parts of ${e.word}`})]})]})}function GL({parts:e,longest:t,label:n}){return Y(`ul`,{class:`parts`,"aria-label":n,children:e.map((e,n)=>Y(`li`,{children:[Y(`span`,{class:`name`,children:e.name}),Y(`svg`,{class:`share`,"aria-hidden":`true`,focusable:`false`,children:[Y(`rect`,{class:`track`,width:`100%`,height:`8`,rx:`4`}),Y(`rect`,{class:`value`,width:aA(Math.max(0,e.share)/Math.max(t,1e-9),1).replace(` `,``),height:`8`,rx:`4`})]}),Y(`span`,{class:`number`,children:aA(e.share,1)})]},`${n} ${e.name}`))})}var KL=new Intl.NumberFormat(`en`);function qL(){let e=nr.value;return e?Y(R,{children:[Y(`header`,{class:`panel-head`,children:[Y(`h2`,{children:e.text}),Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Close this word`,onClick:jr,children:Y(DA,{name:`close`})})]}),Y(YL,{}),Y(WL,{}),Y(HA,{load:rr.value,children:({neighbors:t})=>Y(R,{children:[Y(`div`,{class:`row`,children:[Y(`h3`,{children:`Nearest neighbours`}),Y(`label`,{class:`field inline`,children:[Y(`span`,{class:`visually-hidden`,children:`How many neighbours`}),Y(`select`,{value:ir.value,onChange:e=>ir.value=Number(e.currentTarget.value),children:[12,25,50,100].map(e=>Y(`option`,{value:e,children:e},e))})]})]}),Y(YA,{words:t.map(e=>({word:e.word,id:e.id,value:e.similarity})),label:`Neighbours of ${e.text}`,full:1}),Y(`button`,{type:`button`,class:`button`,onClick:()=>zr(JL(t.map(e=>e.id))),children:`Select these words`})]})})]}):Y(XL,{})}function JL(e){let t=(er.peek()?.points.length??0)/2;return e.filter(e=>e>=0&&e<t)}function YL(){let e=W(G.value),t=W(rr.value),n=nr.value;if(!e||!t||!n)return null;let r=e.ids.get(t.found_as??n.text),i=[];if(n.expression)i.push(`expression`);else if(r!==void 0){i.push(`rank ${KL.format(r+1)} of ${KL.format(Zn.value?.words??e.words.length)}`);let t=e.counts?.[r];t!==void 0&&i.push(`${KL.format(t)} occurrences`)}else i.push(t.composed?`not in the vocabulary, composed from n-grams`:`not on the map`);return t.found_as&&t.found_as!==n.text&&!n.expression&&i.push(`found as “${t.found_as}”`),Y(`p`,{class:`note`,children:i.join(` · `)})}function XL(){let e=Zn.value,t=W(G.value);if(!e)return Y(`p`,{class:`note loading`,children:`Loading…`});let n=t?t.words.slice(0,3e3).filter(e=>/^\p{L}{5,}$/u.test(e)).filter((e,t)=>t%90==7).slice(0,10):[];return Y(R,{children:[Y(`h2`,{children:e.name}),Y(`p`,{class:`note`,children:[KL.format(e.words),` words, `,e.dim,` dimensions`,e.points<e.words&&`; the ${KL.format(e.points)} most frequent are on the map`]}),Y(`p`,{children:`Search a word, or click a point.`}),Y(`div`,{class:`chips`,children:n.map(e=>Y(`button`,{type:`button`,class:`chip`,onClick:()=>Ar(e),children:e},e))})]})}var ZL=[{id:`word`,title:`Word`,icon:`word`,component:qL},{id:`analogy`,title:`Analogy`,icon:`analogy`,component:XA},{id:`axis`,title:`Axis`,icon:`axis`,component:ZA},{id:`selection`,title:`Selection`,icon:`selection`,component:VL},{id:`compare`,title:`Compare`,icon:`compare`,component:ej,available:e=>e.can.compare},{id:`scores`,title:`Scores`,icon:`scores`,component:ML,wide:!0,available:e=>e.can.evaluations},{id:`runs`,title:`Training`,icon:`runs`,component:eL,wide:!0,available:e=>e.can.runs},{id:`info`,title:`Model`,icon:`info`,component:hj}],QL={pca:`PCA`,umap:`UMAP`};function $L(){let e=zt(null);return Rt(()=>{let t=t=>{let n=t.target instanceof HTMLElement&&t.target.matches(`input, textarea, select`);t.key!==`/`||n||t.ctrlKey||t.metaKey||t.altKey||(t.preventDefault(),e.current?.focus())};return document.addEventListener(`keydown`,t),()=>document.removeEventListener(`keydown`,t)},[]),Y(`header`,{class:`header`,children:[Y(`h1`,{class:`brand`,children:[`w2v`,Y(`span`,{class:`visually-hidden`,children:` explorer`})]}),Y(eR,{}),Y(`div`,{class:`search`,role:`search`,children:[Y(DA,{name:`search`}),Y(JA,{label:`Search words`,hideLabel:!0,value:nr.value?.text??``,placeholder:`Word, or king - man + woman`,inputRef:e,onCommit:Ar}),Y(`kbd`,{"aria-hidden":`true`,children:`/`})]}),Y(tR,{}),Y(nR,{}),Y(iR,{})]})}function eR(){let e=W(Yn.value)??[];return Y(`label`,{class:`field model-picker`,children:[Y(`span`,{class:`label`,children:`Model`}),Y(`select`,{value:Xn.value,onChange:e=>Mr(e.currentTarget.value),children:e.map(e=>Y(`option`,{value:e.name,children:e.name},e.name))})]})}function tR(){let e=Zn.value?.projections??[`pca`];return Y(`fieldset`,{class:`segmented`,children:[Y(`legend`,{class:`visually-hidden`,children:`Projection`}),e.map(e=>Y(`label`,{children:[Y(`input`,{type:`radio`,name:`projection`,checked:Qn.value===e,onChange:()=>Nr(e)}),Y(`span`,{children:QL[e]})]},e))]})}function nR(){let e=sr.value,t=e.by===`field`?`field:${e.field}`:e.by,n=e=>{e.startsWith(`field:`)?Pr({by:`field`,field:e.slice(6)}):(e===`cluster`||e===`frequency`||e===`axis`||e===`none`)&&Pr({by:e})},r=Zn.value?.fields??[];return Y(`label`,{class:`field`,children:[Y(`span`,{class:`label`,children:`Colour`}),Y(`select`,{value:t,onChange:e=>n(e.currentTarget.value),children:[Y(`option`,{value:`cluster`,children:`Clusters`}),Y(`option`,{value:`frequency`,children:`Frequency`}),dr.value&&Y(`option`,{value:`axis`,children:`Axis ${dr.value.join(` → `)}`}),r.map(e=>Y(`option`,{value:`field:${e.name}`,children:e.name},e.name)),Y(`option`,{value:`none`,children:`One colour`})]})]})}var rR=[{choice:`system`,title:`Theme of the system`,icon:`auto`},{choice:`light`,title:`Light theme`,icon:`sun`},{choice:`dark`,title:`Dark theme`,icon:`moon`}];function iR(){let e=rR.findIndex(e=>e.choice===Zi.value),t=rR[e]??rR[0],n=rR[(e+1)%rR.length];return!t||!n?null:Y(`button`,{type:`button`,class:`icon-button`,title:t.title,"aria-label":`${t.title}. Switch to: ${n.title}`,onClick:()=>Zi.value=n.choice,children:Y(DA,{name:t.icon})})}function aR(){let e=lj(),[t,n]=z(`half`),r=ZL.filter(t=>t.available?.(e)??!0),i=r.find(e=>e.id===_r.value)??r[0];if(!i)return null;let a=i.component,o=e=>{_r.value=e,t===`low`&&n(`half`)},s=e=>{let t={ArrowRight:1,ArrowDown:1,ArrowLeft:-1,ArrowUp:-1}[e.key];if(t===void 0)return;e.preventDefault();let n=r[(r.indexOf(i)+t+r.length)%r.length];n&&(o(n.id),document.getElementById(`tab-${n.id}`)?.focus())},c=t===`low`?`half`:`full`,l=t===`full`?`half`:`low`;return Y(`aside`,{class:`sidebar ${t}`,"aria-label":`Panels`,children:[Y(`div`,{class:`grip`,children:[Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Make the sheet lower`,disabled:t===`low`,onClick:()=>n(l),children:Y(DA,{name:`down`})}),Y(`button`,{type:`button`,class:`icon-button`,"aria-label":`Make the sheet taller`,disabled:t===`full`,onClick:()=>n(c),children:Y(DA,{name:`up`})})]}),Y(`div`,{class:`tabs`,role:`tablist`,"aria-label":`Panels`,onKeyDown:s,children:r.map(e=>Y(`button`,{id:`tab-${e.id}`,type:`button`,role:`tab`,class:`tab`,"aria-selected":e===i,"aria-controls":`panel`,tabIndex:e===i?0:-1,onClick:()=>o(e.id),children:[Y(DA,{name:e.icon}),Y(`span`,{children:e.title})]},e.id))}),Y(`section`,{id:`panel`,class:`panel`,role:`tabpanel`,tabIndex:-1,"aria-labelledby":`tab-${i.id}`,children:Y(a,{})})]})}function oR(){let[e,t]=z(``);return Y(`main`,{class:`token-page`,children:Y(`form`,{class:`card`,onSubmit:t=>{t.preventDefault(),Hn(e.trim()),location.reload()},children:[Y(`h1`,{children:`w2v explorer`}),Bn.value?Y(`p`,{class:`failed`,role:`alert`,children:`The server refused this token.`}):Y(`p`,{children:`This server wants a token.`}),Y(`label`,{class:`field`,children:[Y(`span`,{class:`label`,children:`Token`}),Y(`input`,{type:`password`,autocomplete:`off`,autofocus:!0,value:e,onInput:e=>t(e.currentTarget.value)})]}),Y(`button`,{type:`submit`,class:`button primary`,disabled:e.trim()===``,children:`Continue`}),Y(`p`,{class:`note`,children:`The token is kept until this tab is closed.`})]})})}function sR(){if(Vn.value)return Y(oR,{});let e=Yn.value,t=ZL.some(e=>e.id===_r.value&&e.wide);return Y(R,{children:[Y(`a`,{class:`skip`,href:`#panel`,onClick:cR,children:`Skip to the panel`}),Y($L,{}),Y(`main`,{class:t?`body wide`:ti.value?`body two`:`body`,children:e.state===`failed`?Y(`p`,{class:`message failed`,role:`alert`,children:e.error.message}):Y(R,{children:[Y(NA,{}),ti.value&&Y(uA,{}),Y(aR,{})]})}),Y(`div`,{class:`visually-hidden`,role:`status`,"aria-live":`polite`,children:yr.value})]})}function cR(e){e.preventDefault(),document.getElementById(`panel`)?.focus()}function lR(e){let t=document.getElementById(`app`);if(!t)throw Error(`the page has no #app`);ta(),Dr(Hr),Zr(e),ci(e),yt(Y(cj.Provider,{value:e,children:Y(sR,{})}),t)}lR(new Gn);export{Bg as n,Xg as t};